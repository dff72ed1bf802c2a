// `candor/agent`: the other side of the wire. Adding a name here makes it public. Nothing here needs Node.
export { decide, type Aftermath, type Attempt, type Caller, type Chance, type Decision, type Limits } from './decide.js'

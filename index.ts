// `candor`: all that the author of a tool needs. Adding a name here makes it public.
export { defineCapability, type Capability, type CapabilityOptions, type ErrorDeclaration } from './src/capability/define.js'
export type { Call, ErrorOptions, Log, Principal, Tried } from './src/capability/call.js'
export type { Infer, JsonSchema } from './src/schema/infer.js'
export type { Problem } from './src/schema/problem.js'

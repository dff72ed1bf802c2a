import { createRedactor } from '../src/protocol/redact.js'
const time = (name: string, f: () => unknown) => { const b = performance.now(); const r = f(); console.log(name, Math.round(performance.now() - b), 'ms', String(r).slice(0, 60)) }
time('dots', () => createRedactor(['.'.repeat(3900) + 'b'])('.'.repeat(10000)).length)
time('dots1M', () => createRedactor(['.'.repeat(3900) + 'b'])('.'.repeat(1e6)).length)
time('b+dots1M', () => createRedactor(['b' + '.'.repeat(3900)])('.'.repeat(1e6)).length)
time('ab dots mid', () => createRedactor(['.'.repeat(2000) + 'b' + '.'.repeat(2000)])('.'.repeat(1e6)).length)
const many = Array.from({ length: 1000 }, (_, i) => `value-of-${i}`)
time('1000 x 900k', () => { const r = createRedactor(many); return r('value-of-'.repeat(1e5)).length })
const long = Array.from({ length: 1000 }, (_, i) => 'a'.repeat(1000) + i)
time('1000 long briefly', () => { const r = createRedactor([], { briefly: long }); return r('a'.repeat(9e5)).length })
const long2 = Array.from({ length: 1000 }, (_, i) => 'a'.repeat(31) + String.fromCharCode(300 + i) + 'x'.repeat(900))
time('briefly2', () => { const r = createRedactor([], { briefly: long2 }); const t0 = performance.now(); r('x'); console.log('build', performance.now() - t0); return r('a'.repeat(9e5)).length })
time('one of 1MB', () => createRedactor(['x'.repeat(1e6)])('x'.repeat(1e6)))
for (const part of ['\\', '\\"', '%25', '%', '+', '\\u0041', '%F0', '%2525252525', '\\n', '%5c']) { const r = createRedactor(['SECRET', 'nnnn"']); const text = part.repeat(1e6 / part.length); time(part, () => r(text).length) }
const k = 'Kx/9"+\\ß-long'
const r = createRedactor([k])
let j = k
for (let i = 0; i < 5; i++) { j = JSON.stringify(j).slice(1, -1); console.log(i, r(`a ${j} b`), r(`a ${encodeURIComponent(j)} b`)) }
for (const pre of ['', 'a', 'ab', 'abc', 'u:']) for (const post of ['', 'z', 'zz']) console.log(r(Buffer.from(pre + k + post).toString('base64')), r(Buffer.from(pre + k + post).toString('base64url')), r(encodeURIComponent(Buffer.from(pre + k + post).toString('base64'))))
console.log(r(Buffer.from(k).toString('hex')), r('x' + Buffer.from(k).toString('hex').toUpperCase()))

// node:http and a compiled schema, nothing else: the least that the task can cost.
import { Ajv } from 'ajv'
import { createServer } from 'node:http'
import { forecast, listen, schemas } from './lib.js'

const check = new Ajv().compile(schemas.input)

listen(createServer((request, response) => {
  const chunks = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    const given = JSON.parse(Buffer.concat(chunks).toString())
    const body = check(given) ? JSON.stringify(forecast(given)) : '{"error":"invalid"}'
    response.writeHead(check.errors === null ? 200 : 400, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
  })
}))

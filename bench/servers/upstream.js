// A third party: one good answer, and one outage.
import { createServer } from 'node:http'
import { forecast, input, listen } from './lib.js'

const good = JSON.stringify(forecast(input))
const json = body => ({ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })

listen(createServer((request, response) => {
  request.resume()
  if (request.url === '/forecast') response.writeHead(200, json(good)).end(good)
  else response.writeHead(503, json('{}')).end('{}')
}))

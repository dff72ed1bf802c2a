// Fastify with schemas, as its own documentation shows it; and one upstream call, as undici's does.
import Fastify from 'fastify'
import { Pool } from 'undici'
import { forecast, option, ready, schemas } from './lib.js'

const app = Fastify()
app.post('/forecast', { schema: { body: schemas.input, response: { 200: schemas.output } } }, async request => forecast(request.body))

const upstream = option('upstream')
if (upstream !== undefined) {
  const pool = new Pool(upstream)
  const ask = path => async () => {
    const { statusCode, body } = await pool.request({ path, method: 'GET', headersTimeout: 10_000, bodyTimeout: 10_000 })
    const data = await body.json()
    if (statusCode !== 200) throw Object.assign(new Error('The upstream failed.'), { statusCode: 502 })
    return data
  }
  app.post('/asking', { schema: { body: schemas.input, response: { 200: schemas.output } } }, ask('/forecast'))
  app.post('/failing', { schema: { body: schemas.input, response: { 200: schemas.output } } }, ask('/unavailable'))
}
await app.listen({ port: 0, host: '127.0.0.1' })
ready(app.server.address().port)

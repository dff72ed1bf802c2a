// Hono with zod-openapi on Node.
import { serve } from '@hono/node-server'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { forecast, ready } from './lib.js'

const Input = z.strictObject({ city: z.string().min(1).max(200), days: z.int().min(1).max(14) })
const Output = z.object({ city: z.string(), country: z.string(), latitude: z.number(), longitude: z.number(), days: z.int(), temperature: z.number(), humidity: z.number(), observed: z.string() })
const json = schema => ({ content: { 'application/json': { schema } } })

const app = new OpenAPIHono()
app.openapi(createRoute({ method: 'post', path: '/forecast', request: { body: { ...json(Input), required: true } }, responses: { 200: { ...json(Output), description: 'The forecast' } } }), c => c.json(forecast(c.req.valid('json')), 200))
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => ready(port))

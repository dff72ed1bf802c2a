// Express with zod.
import express from 'express'
import { createServer } from 'node:http'
import { z } from 'zod'
import { forecast, listen } from './lib.js'

const Input = z.strictObject({ city: z.string().min(1).max(200), days: z.int().min(1).max(14) })

const app = express()
app.use(express.json())
app.post('/forecast', (request, response) => {
  const { success, data, error } = Input.safeParse(request.body)
  if (success) response.json(forecast(data))
  else response.status(400).json({ error: error.issues })
})
listen(createServer(app))

import type { Expected } from './expect.js'
import type { Input } from './repair.js'

/** One thing an agent meets: what it asks, what goes wrong on purpose, and how each request has to come out. */
export interface Scene {
  title: string
  tool: 'weather' | 'currency'
  capability: string
  input: Input
  /** What `POST /faults` of the simulated providers takes. */
  fault?: Readonly<Record<string, unknown>>
  expected: readonly Expected[]
}

const done = { status: 200, action: 'done' } as const
const correctable = { category: 'INPUT_ERROR', status: 400, code: 'INVALID_INPUT', retryable: true, next_action: 'fix_input', action: 'correct' } as const
const transient = { category: 'SERVICE_ERROR', retryable: true, next_action: 'retry' } as const
const unavailable = { ...transient, status: 502, code: 'UPSTREAM_UNAVAILABLE' } as const

/** The ten scenes, in the order they are played. */
export const scenes: readonly Scene[] = [
  {
    title: 'Found',
    tool: 'weather',
    capability: 'current_weather',
    input: { location: 'London, United Kingdom' },
    expected: [{ ...done, data: { location: 'London, England, United Kingdom' } }]
  },
  {
    title: 'Not found as it was written, corrected from the candidates',
    tool: 'weather',
    capability: 'current_weather',
    input: { location: 'Flower Mound, TX' },
    expected: [
      {
        status: 404,
        code: 'LOCATION_NOT_FOUND',
        category: 'NOT_FOUND',
        retryable: true,
        next_action: 'fix_input',
        action: 'correct',
        details: { original_location: 'Flower Mound, TX', candidates: 'Flower Mound, Texas, United States' }
      },
      { ...done, data: { location: 'Flower Mound, Texas, United States' } }
    ]
  },
  {
    title: 'A misspelt field',
    tool: 'weather',
    capability: 'forecast',
    input: { loction: 'Springfield, Illinois', days: 2 },
    expected: [{ ...correctable, details: { field: 'loction', did_you_mean: 'location' } }, { ...done, data: { location: 'Springfield, Illinois, United States' } }]
  },
  {
    title: 'A value that is not among those allowed',
    tool: 'weather',
    capability: 'forecast',
    input: { location: 'Paris, Texas', units: 'metrics', days: 2 },
    expected: [{ ...correctable, details: { field: 'units', did_you_mean: 'metric' } }, { ...done, data: { location: 'Paris, Texas, United States' } }]
  },
  {
    title: 'A currency by its name, corrected to its code',
    tool: 'currency',
    capability: 'convert_currency',
    input: { amount: 100, from: 'US Dollar', to: 'EUR' },
    expected: [
      { status: 404, code: 'CURRENCY_NOT_SUPPORTED', category: 'NOT_FOUND', retryable: true, next_action: 'fix_input', action: 'correct', details: { field: 'from' } },
      { ...done, data: { amount: 100, from: 'USD', to: 'EUR' } }
    ]
  },
  {
    title: 'An amount that only the user can correct',
    tool: 'currency',
    capability: 'convert_currency',
    input: { amount: 0, from: 'EUR', to: 'USD' },
    expected: [{ status: 400, code: 'AMOUNT_NOT_POSITIVE', category: 'INPUT_ERROR', retryable: false, next_action: 'stop', action: 'stop', details: { field: 'amount' } }]
  },
  {
    title: 'The provider asks for a second of patience',
    tool: 'currency',
    capability: 'convert_currency',
    input: { amount: 19.99, from: 'EUR', to: 'JPY' },
    fault: { path: '/v1/latest', status: 429, headers: { 'retry-after': '1' }, body: { message: 'too many requests' } },
    expected: [
      { status: 429, code: 'UPSTREAM_RATE_LIMITED', category: 'RATE_LIMIT', retryable: true, next_action: 'wait_and_retry', action: 'resend', waitMs: 1_000, details: { retry_after: '1s', upstream: 'rates', upstream_status: '429' } },
      { ...done, data: { amount: 19.99, from: 'EUR', to: 'JPY' } }
    ]
  },
  {
    title: 'The provider is down, and stays down',
    tool: 'currency',
    capability: 'exchange_rates',
    input: { base: 'EUR' },
    fault: { path: '/v1/latest', status: 503, times: 3 },
    expected: [{ ...unavailable, action: 'resend' }, { ...unavailable, action: 'resend' }, { ...unavailable, action: 'stop' }]
  },
  {
    title: 'The provider does not answer, then does: 0 degrees are a temperature',
    tool: 'weather',
    capability: 'current_weather',
    input: { location: 'Nuuk, Greenland' },
    fault: { path: '/v1/forecast', mode: 'hang' },
    expected: [{ ...transient, status: 504, code: 'UPSTREAM_TIMEOUT', action: 'resend', details: { upstream: 'forecast' } }, { ...done, data: { temperature: 0 } }]
  },
  {
    title: 'A capability that nobody offers',
    tool: 'weather',
    capability: 'curent_weather',
    input: { location: 'London, United Kingdom' },
    expected: [{ status: 404, code: 'CAPABILITY_NOT_FOUND', category: 'NOT_FOUND', retryable: false, next_action: 'stop', action: 'stop', details: { did_you_mean: 'current_weather' } }]
  }
]

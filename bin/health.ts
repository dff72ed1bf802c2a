// The health check of the image: does the server that this container runs answer? The exit code says so.
const { PORT = '8080' } = process.env

try {
  const response = await fetch(`http://127.0.0.1:${PORT}/health`, { signal: AbortSignal.timeout(2_000) })
  process.exitCode = response.ok ? 0 : 1
} catch (error) {
  process.stderr.write(`No answer on port ${PORT}: ${((error as Error).cause as Error | undefined)?.message ?? (error as Error).message}\n`)
  process.exitCode = 1
}

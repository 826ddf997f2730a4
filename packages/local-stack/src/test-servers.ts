/** The MongoDB of the test run. Each spec file uses a database name of its own and drops it at the end. */
export function testMongodbUrl(): string {
  return required('MONGODB_URL')
}

/** The MongoDB of the test run behind a proxy on this port of loopback. */
export function proxiedMongodbUrl(port: number): string {
  const url = new URL(testMongodbUrl())
  url.host = `127.0.0.1:${port}`
  url.searchParams.set('directConnection', 'true')
  return url.href
}

/** The NATS of the test run. A spec that stops or fills its bus takes one of its own: `startNats`. */
export function testNatsUrl(): string {
  return required('NATS_URL')
}

function required(name: string): string {
  const value = process.env[name]
  if (!value)
    throw new Error(`${name} is not set. Name the spec x.int.spec.ts: Jest starts servers for integration specs only.`)
  return value
}

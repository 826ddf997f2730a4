/** The MongoDB that `npm test` started for the specs. Each spec file uses a database name of its own and drops it at the end. */
export function testMongodbUrl(): string {
  return required('MONGODB_URL')
}

/** The NATS that `npm test` started for the specs. A spec that stops or fills its bus takes one of its own: `startNats`. */
export function testNatsUrl(): string {
  return required('NATS_URL')
}

function required(name: string): string {
  const value = process.env[name]
  if (!value)
    throw new Error(`${name} is not set. Run the specs by \`npm test -- <path>\`, which starts the servers they need.`)
  return value
}

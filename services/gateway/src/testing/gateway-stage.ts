import { AppError } from '@partsbus/contracts/app-error'
import { type BatchCommand, busHeaders, type Command, MAX_PAYLOAD_BYTES } from '@partsbus/contracts/message'
import { startNats } from '@partsbus/local-stack/start-nats'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { type CallOf, readCall } from '@partsbus/platform/bus/call'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import { connect, headers, type NatsConnection } from '@nats-io/transport-node'
import { MongoClient } from 'mongodb'
import { gatewayConfig } from '../config.js'
import { type RunningGateway, startGateway } from '../start.js'
import { AdministrationProcess } from './administration-process.js'

/**
 * A real bus of this spec's own, a real database with the administration service, and services that are a few lines
 * each.
 * @param env of the administration service
 */
export async function openRealStage(name: string, env: Record<string, string> = {}) {
  const client = await new MongoClient(testMongodbUrl()).connect()
  const nats = await startNats({ config: `max_payload: ${MAX_PAYLOAD_BYTES}` })
  const db = client.db(`spec_gateway_${name}`)
  await db.dropDatabase()
  const nc = await connect({ servers: nats.url, noAsyncTraces: true, maxReconnectAttempts: -1, reconnectTimeWait: 100 })
  const administration = new AdministrationProcess(nc, {
    MONGODB_URL: testMongodbUrl(),
    MONGODB_DATABASE: db.databaseName,
    NATS_URL: nats.url,
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'silent',
    ...env,
  })
  await administration.start()
  const gateways: RunningGateway[] = []
  return {
    nats,
    db,
    nc,
    administration,
    async startGateway(env: Record<string, string> = {}): Promise<RunningGateway> {
      const gateway = await startGateway(
        gatewayConfig.parse({
          NATS_URL: nats.url,
          PORT: '0',
          MANAGEMENT_PORT: '0',
          LOG_LEVEL: 'silent',
          ADMIN_TOKEN: 'admin-token-of-the-specs',
          SHUTDOWN_DELAY_MS: '0',
          ...env,
        }),
      )
      gateways.push(gateway)
      return gateway
    },
    async close(): Promise<void> {
      await Promise.all(gateways.map((gateway) => gateway.stop()))
      await administration.stop()
      await nc.close()
      await db.dropDatabase()
      await client.close()
      await nats.stop()
    },
  }
}

/** Answers a command as a service does: its contract checked, errors by code. */
export function answerCommand<C extends Command | BatchCommand>(
  nc: NatsConnection,
  contract: C,
  answer: (call: CallOf<C>, sent: Headers) => unknown,
) {
  return nc.subscribe(contract.subject, {
    callback: (_error, message) => {
      const sent = new Headers(
        [...(message.headers ?? [])].flatMap(([name, values]) =>
          values.map((value): [string, string] => [name, value]),
        ),
      )
      void Promise.resolve()
        .then(async () => answer(await readCall(contract, message), sent))
        .then((reply) => message.respond(reply instanceof Uint8Array ? reply : JSON.stringify(reply)))
        .catch((thrown: unknown) => {
          const { code, message: text, details }: AppError = toAppError(thrown)
          const failed = headers()
          failed.set(busHeaders.error, code)
          message.respond(JSON.stringify({ code, message: text, details }), { headers: failed })
        })
    },
  })
}

/** Asks the admin API, as an administrator does. */
export async function administer(
  port: number,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`http://127.0.0.1:${port}/api/admin${path}`, {
    method,
    headers: {
      authorization: 'Bearer admin-token-of-the-specs',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

import type { AddressInfo } from 'node:net'
import type { ApiAudience } from '@partsbus/contracts/administration/settings-commands'
import { type CallSettings, defaultSettings, type Settings } from '@partsbus/contracts/administration/settings'
import type { AppError } from '@partsbus/contracts/app-error'
import type { CallScope } from '@partsbus/platform/bus/call-scope'
import { createLog } from '@partsbus/platform/process/log'
import { createMetrics } from '@partsbus/platform/process/metrics'
import { headers } from '@nats-io/transport-node'
import { openAccounts } from '../admin/administrators/accounts.js'
import type { PageFiles } from '../admin-pages/page-files.js'
import { createApp } from '../app.js'
import { gatewayConfig } from '../config.js'
import type { GatewayContext } from '../context.js'
import { Admission } from '@partsbus/http-guard/admission'
import { ArrivingBodies } from '@partsbus/http-guard/arriving-bodies'
import { RateLimit } from '@partsbus/http-guard/rate-limit'
import { builtDocuments } from '@partsbus/openapi/documents'
import { ApiCounter } from '../reports/api-counter.js'
import { ErpBatchReporter } from '../reports/erp-batch-reporter.js'
import { SettingsCache } from '../settings/settings-cache.js'
import { StubAdministration } from './stub-administration.js'
import { ask, type Question } from './send-request.js'
import { MemoryBucket } from './memory-bucket.js'

/** A call that a stubbed service was asked. */
export interface AskedCall {
  subject: string
  body: string
  settings?: CallSettings | undefined
  timeoutMs?: number | undefined
  scope?: CallScope | undefined
}

/** The gateway's HTTP on a free port, with settings in memory and a service that answers what the test says. */
export async function openStubApp(
  options: {
    settings?: Partial<Settings>
    /** gives the reply's bytes or throws */
    answer?: (
      call: AskedCall,
      setReplyHeader: (name: string, value: string) => void,
    ) => Uint8Array | string | AppError | Promise<Uint8Array | string>
    env?: Record<string, string>
    isDraining?: () => boolean
    uploads?: MemoryBucket
    pages?: PageFiles
    documents?: string
  } = {},
) {
  const config = gatewayConfig.parse({
    NATS_URL: 'nats://127.0.0.1:1',
    ADMIN_TOKEN: 'admin-token-of-the-specs',
    ...options.env,
  })
  const log = createLog('gateway', 'silent')
  const metrics = createMetrics('gateway')
  const asked: AskedCall[] = []
  const forward: GatewayContext['calls']['forward'] = async (command, body, call = {}) => {
    const known = administration.answer(command.subject)
    if (known) return Buffer.from(JSON.stringify(known))
    const question = {
      subject: command.subject,
      body: Buffer.from(body).toString('utf8'),
      settings: call.settings,
      timeoutMs: call.timeoutMs,
      scope: call.scope,
    }
    asked.push(question)
    const replyHeaders = headers()
    const answer = (await options.answer?.(question, (name, value) => replyHeaders.set(name, value))) ?? '{}'
    if (answer instanceof Error) throw answer
    call.onReplyHeaders?.(replyHeaders)
    return Buffer.from(answer)
  }
  const calls: GatewayContext['calls'] = {
    forward,
    request: async (command, body, call) =>
      JSON.parse(Buffer.from(await forward(command, Buffer.from(JSON.stringify(body)), call)).toString('utf8')),
  }
  const settings = new SettingsCache({ gateway: 'this', calls, drain: async () => undefined, log })
  const administration = new StubAdministration(options.settings ?? {}, () => settings.read())
  await settings.start()
  const smallAdmission = (): Admission => new Admission({ requests: 4, arriving: 8, bytes: 16 * 1024 * 1024 })
  const admission = {
    erp: smallAdmission(),
    b2b: smallAdmission(),
    b2bOwn: smallAdmission(),
    admin: smallAdmission(),
    adminOwn: smallAdmission(),
    adminWaiting: smallAdmission(),
    signIn: smallAdmission(),
    signInBodies: new ArrivingBodies({ atOnce: 8, ofOne: 8, withinMs: 5_000 }),
  }
  const rateLimits = { erp: new RateLimit(() => undefined), b2b: new RateLimit(() => undefined) }
  const bus = {
    nc: undefined as never,
    isUp: () => false,
    onLoss: () => undefined,
    reached: new Promise<void>(() => undefined),
  }
  const accounts = openAccounts(config, { bus, calls })
  const batches = new ErpBatchReporter(calls, log)
  const apis = new ApiCounter(calls, log)
  const uploads = options.uploads ?? new MemoryBucket()
  const app = await createApp(
    {
      config,
      log,
      metrics,
      calls,
      settings,
      apis,
      batches,
      accounts,
      admission,
      rateLimits,
      uploads,
      pages: options.pages,
      documents: options.documents ?? builtDocuments,
    },
    options.isDraining ?? (() => false),
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return {
    app,
    port,
    ask: (question: Question) => ask(port, question),
    asked,
    settings,
    administration,
    uploads,
    metrics,
    /** default settings with these changes, new tokens, and no recorded requests */
    async reset(values: Partial<Settings>): Promise<Record<ApiAudience, string>> {
      asked.length = 0
      await administration.patch({ ...defaultSettings, ...values })
      return { erp: await administration.issueToken('erp'), b2b: await administration.issueToken('b2b') }
    },
    async close() {
      await settings.stop()
      app.server.closeAllConnections()
      await app.close()
      await Promise.all([batches.stop(), apis.stop()])
    },
  }
}

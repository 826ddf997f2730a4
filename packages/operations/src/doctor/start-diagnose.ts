import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type DiagnosisReport, diagnosisReport, type ServiceName } from '@partsbus/contracts/diagnosis'
import { checkFailed } from '@partsbus/platform/diagnosis/make-checks'
import { databaseAddress } from '../database-address.js'
import type { BusAddress } from '../open-servers.js'

/** The program of a service that is installed beside this command, as in a checkout. */
function programOf(service: ServiceName): string {
  return fileURLToPath(new URL(`../../../../services/${service}/dist/main.js`, import.meta.url))
}

/**
 * The variables to start a service with for its diagnosis; undefined when it is not installed here, or its database is
 * not named.
 * @param given the address of its database, in place of the variables
 */
export function diagnosisEnv(
  env: NodeJS.ProcessEnv,
  service: ServiceName,
  { mongodbUrl, bus }: { mongodbUrl: string | undefined; bus: BusAddress | undefined },
): NodeJS.ProcessEnv | undefined {
  const database = databaseAddress(env, service, mongodbUrl)
  if (database === undefined || !existsSync(programOf(service))) return undefined
  // a service does not start without an address of the bus; with a wrong one its diagnosis asks no other service
  const { url = 'nats://127.0.0.1:4222', user, password, ca } = bus ?? {}
  const { MONGODB_URL_FILE: _mongodb, MONGODB_DATABASE: _name, NATS_URL_FILE: _nats, ...others } = env
  return {
    ...others,
    MONGODB_URL: database,
    NATS_URL: url,
    NATS_USER: user,
    NATS_PASSWORD: password,
    NATS_CA: ca,
  }
}

/** Runs `--diagnose` of a service that does not answer. */
export async function startDiagnose(
  service: ServiceName,
  env: NodeJS.ProcessEnv,
  isFixing: boolean,
): Promise<DiagnosisReport> {
  const args = [programOf(service), '--diagnose', ...(isFixing ? ['--fix'] : [])]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  try {
    return diagnosisReport.parse(JSON.parse(printed))
  } catch {
    const failure = new Error(errors.trim() || 'its diagnosis printed no report')
    return { service, schema_version: null, findings: [checkFailed(service, failure)] }
  }
}

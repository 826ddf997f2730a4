import type { AdminClient } from '@partsbus/client/admin-client'
import { type DiagnosisReport, type Finding, type ServiceName, serviceNames } from '@partsbus/contracts/diagnosis'
import { BusClient } from '@partsbus/platform/bus/client'
import { type BusConnection, connectBus } from '@partsbus/platform/bus/connection'
import { askService } from '@partsbus/platform/diagnosis/ask-service'
import { checkDisk } from '@partsbus/platform/diagnosis/check-disk'
import type { Check } from '@partsbus/platform/diagnosis/finding'
import { makeCheck } from '@partsbus/platform/diagnosis/make-checks'
import { createLog } from '@partsbus/platform/process/log'
import { createMetrics } from '@partsbus/platform/process/metrics'
import type { BusAddress } from '../open-servers.js'
import { checkStreams } from './check-bus.js'
import { checkGateway } from './check-gateway.js'
import { checkPermissions } from './check-permissions.js'
import { startDiagnose } from './start-diagnose.js'

export interface Installation {
  env: NodeJS.ProcessEnv
  /** undefined: the admin API is not checked */
  admin: AdminClient | undefined
  bus: BusAddress | undefined
  /** the variables to start a service with that does not answer; undefined: it is not started */
  diagnosisEnv(service: ServiceName): NodeJS.ProcessEnv | undefined
  /** of a disk that is not full */
  minFreeBytes?: number
}

export interface Examination {
  findings: Finding[]
  /** by service that was examined; null where none is recorded, or the database cannot be read */
  schemaVersions: Record<string, number | null>
}

/** Makes every check that the configuration allows, and has the services examine themselves. */
export async function runDoctor(installation: Installation, isFixing: boolean): Promise<Examination> {
  const { admin, env, bus, minFreeBytes } = installation
  const found: Finding[] = []
  const check = async (name: string, run: Check['run']): Promise<void> => {
    found.push(...(await makeCheck({ name, run }, isFixing)))
  }
  if (admin) await check('The gateway', () => checkGateway(admin))
  const connection = bus && (await connect(bus).catch((error: Error) => error))
  const schemaVersions: Record<string, number | null> = {}
  try {
    const calls =
      connection && !(connection instanceof Error) ? new BusClient(connection, createMetrics('cli')) : undefined
    for (const service of serviceNames) {
      const report = await examineService(installation, service, calls, isFixing)
      if (report) schemaVersions[service] = report.schema_version
      if (report) found.push(...report.findings)
      else if (calls) found.push(serviceAway(service))
    }
    if (connection instanceof Error) found.push(busUnreachable(connection))
    else if (connection) await check('The bus', () => checkStreams(connection.nc, bus?.user))
  } finally {
    if (connection && !(connection instanceof Error)) await connection.close()
  }
  const { STATE_DIR: folder } = env
  if (folder) await check(folder, () => checkDisk(folder, minFreeBytes))
  await check('Permissions', () => checkPermissions(env))
  return { findings: withoutRepetitions(found), schemaVersions }
}

function connect(bus: BusAddress): Promise<BusConnection> {
  // the inbox that the permissions of a user name
  const options = { ...bus, waitsForServer: false, name: bus.user ?? 'cli', log: createLog('cli', 'silent') }
  return connectBus(options)
}

/** Over the bus, or by a start of a service that does not answer; undefined where neither can be done. */
async function examineService(
  { diagnosisEnv }: Installation,
  service: ServiceName,
  calls: BusClient | undefined,
  isFixing: boolean,
): Promise<DiagnosisReport | undefined> {
  const answered = calls && (await askService(calls, service, isFixing))
  const env = answered ? undefined : diagnosisEnv(service)
  return env ? startDiagnose(service, env, isFixing) : answered
}

/** Services on one machine find the same of its disks and its clock. */
function withoutRepetitions(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((each) => [`${each.code} ${each.message}`, each])).values()]
}

function serviceAway(service: ServiceName): Finding {
  return {
    code: 'service-away',
    severity: 'error',
    message: `${service} cannot answer on the bus, so its data was not checked.`,
    advice: 'Look at /readyz and at its log, or run node dist/main.js --diagnose where it is installed.',
  }
}

function busUnreachable({ message }: Error): Finding {
  return {
    code: 'bus-unreachable',
    severity: 'error',
    message: `The bus cannot be reached: ${message}.`,
    advice: 'Start the bus, and check its address, user and password.',
  }
}

import type { AdminClient } from '@partsbus/client/admin-client'
import { connectBus } from '@partsbus/platform/bus/connection'
import { createLog } from '@partsbus/platform/process/log'
import { checkStreams } from './check-bus.js'
import { checkClock, checkIndexes, checkOutbox } from './check-database.js'
import { checkMediaFiles, checkPriceFiles } from './check-files.js'
import { checkGateway } from './check-gateway.js'
import { checkCounters, checkDuplicateIds, checkProductCounter } from './check-ids.js'
import { checkDisk, checkPermissions, namedFolders } from './check-machine.js'
import * as references from './check-references.js'
import { checkSchema } from './check-schema.js'
import { checkHeaders, checkPasswords, openSecretBox } from './check-secrets.js'
import type { Check, Diagnosis, Finding } from './finding.js'
import type { Databases } from './open-databases.js'
import type { Db } from 'mongodb'

export interface Patient {
  env: NodeJS.ProcessEnv
  /** undefined: the admin API is not checked */
  admin: AdminClient | undefined
  databases: Databases
  bus: { url: string; user?: string | undefined; password?: string | undefined; ca?: string | undefined } | undefined
  secretsKey: string | undefined
  /** of a disk that is not full */
  minFreeBytes?: number
}

/** Runs every check that the configuration allows. A check that fails is a finding. */
export async function runDoctor(patient: Patient, isFixing: boolean): Promise<Finding[]> {
  const found: Finding[] = []
  const attempt = async (name: string, check: Check): Promise<void> => {
    try {
      for (const diagnosis of await check()) found.push(await toFinding(diagnosis, isFixing))
    } catch (error) {
      found.push({
        code: 'check-failed',
        severity: 'error',
        message: `${name} could not be checked: ${(error as Error).message}`,
        advice: 'Check the address, the user and its permissions.',
      })
    }
  }
  const { admin, env } = patient
  if (admin) await attempt('The gateway', () => checkGateway(admin))
  if (await reachDatabases(patient, found)) await examineData(patient, attempt)
  await examineBus(patient, attempt)
  for (const folder of namedFolders(env)) await attempt(folder, () => checkDisk(folder, patient.minFreeBytes))
  await attempt('Permissions', () => checkPermissions(env))
  return found
}

type Attempt = (name: string, check: Check) => Promise<void>

async function reachDatabases({ databases }: Patient, found: Finding[]): Promise<boolean> {
  for (const [service, db] of databases.of) {
    try {
      await db.collection('counters').findOne({})
    } catch (error) {
      found.push({
        code: 'database-unreachable',
        severity: 'error',
        message: `The database of ${service} cannot be read: ${(error as Error).message}.`,
        advice: 'Start the database, and check its address, user and password.',
      })
      return false
    }
  }
  return true
}

async function examineData({ databases, secretsKey, env }: Patient, attempt: Attempt): Promise<void> {
  const [catalog, stock, pricing, administration] = (
    ['catalog', 'stock', 'pricing-import', 'administration'] as const
  ).map((name) => databases.of.get(name))
  const both = async (name: string, one: Db | undefined, other: Db | undefined, check: BothCheck): Promise<void> => {
    if (one && other) await attempt(name, () => check(one, other))
  }
  const [first] = databases.of.values()
  if (first) await attempt('The clock of the database', () => checkClock(first))
  for (const [service, db] of databases.of) {
    await attempt(`The schema version of ${service}`, () => checkSchema(service, db))
    await attempt(`Indexes of ${service}`, () => checkIndexes(service, db))
    await attempt(`Counters of ${service}`, () => checkCounters(service, db))
    await attempt(`Ids of ${service}`, () => checkDuplicateIds(service, db))
    await attempt(`Events of ${service}`, () => checkOutbox(service, db))
  }
  await both('Product ids', catalog, stock, checkProductCounter)
  await both('Supplies', stock, catalog, references.checkSupplies)
  await both('Price lists', pricing, stock, references.checkLists)
  await both('Settings', administration, stock, references.checkSettings)
  if (stock) await attempt('Stock', () => references.checkStock(stock))
  if (pricing) await attempt('Live versions', () => references.checkLiveVersions(pricing))
  if (catalog) await attempt('Images', () => references.checkImages(catalog))
  if (catalog) await attempt('Files of images', () => checkMediaFiles(catalog, env))
  if (pricing) await attempt('Files of price lists', () => checkPriceFiles(pricing, env))
  if (secretsKey === undefined) return
  if (stock) await attempt('Secrets of suppliers', () => checkHeaders(stock, openSecretBox(secretsKey)))
  if (pricing) await attempt('Passwords of sources', () => checkPasswords(pricing, openSecretBox(secretsKey)))
}

type BothCheck = (one: Db, other: Db) => Promise<Diagnosis[]>

async function examineBus({ bus }: Patient, attempt: Attempt): Promise<void> {
  if (!bus) return
  // the inbox that the permissions of a service name
  const options = { ...bus, waitsForServer: false, name: bus.user ?? 'cli', log: createLog('cli', 'silent') }
  const connection = await connectBus(options).catch((error: Error) => error)
  if (connection instanceof Error) {
    const message = `The bus cannot be reached: ${connection.message}.`
    const advice = 'Start the bus, and check its address, user and password.'
    await attempt('The bus', async () => [{ code: 'bus-unreachable', severity: 'error', message, advice }])
    return
  }
  await attempt('The bus', () => checkStreams(connection.nc, bus.user))
  await connection.close()
}

async function toFinding({ fix, ...finding }: Diagnosis, isFixing: boolean): Promise<Finding> {
  if (!fix || !isFixing) return finding
  return {
    ...finding,
    isFixed: await fix().then(
      () => true,
      () => false,
    ),
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AdminClient, createAdminClient } from '@partsbus/client/admin-client'
import { createErpClient, type ErpClient } from '@partsbus/client/erp-client'
import { withoutTrailingSlashes } from '@partsbus/contracts/base-url'
import { UsageError } from './exit-codes.js'

/** Address of the gateway: `PARTSBUS_URL`. */
export function gatewayUrl(env: NodeJS.ProcessEnv): string {
  return withoutTrailingSlashes(env.PARTSBUS_URL || 'http://127.0.0.1:8080')
}

/** The admin API by `ADMIN_TOKEN`, or by the token that `npm start` keeps in its state folder. */
export function openAdmin(env: NodeJS.ProcessEnv): AdminClient {
  const stored = join(env.STATE_DIR || '.state', 'admin-token')
  const token = readSecret(env, 'ADMIN_TOKEN') ?? readIfPresent(stored)
  if (token !== undefined) return createAdminClient({ baseUrl: gatewayUrl(env), token })
  throw new UsageError('The admin token is missing. Set ADMIN_TOKEN or ADMIN_TOKEN_FILE.')
}

/** Undefined where no token is named, as in the container of a service other than the gateway. */
export function openAdminIfNamed(env: NodeJS.ProcessEnv): AdminClient | undefined {
  try {
    return openAdmin(env)
  } catch (error) {
    if (error instanceof UsageError && env.ADMIN_TOKEN_FILE === undefined) return undefined
    throw error
  }
}

export function openErp(env: NodeJS.ProcessEnv): ErpClient {
  const token = readSecret(env, 'ERP_TOKEN')
  if (token !== undefined) return createErpClient({ baseUrl: gatewayUrl(env), token })
  throw new UsageError('The ERP token is missing. Set ERP_TOKEN or ERP_TOKEN_FILE.')
}

export interface BusAddress {
  url: string
  user?: string | undefined
  password?: string | undefined
  ca?: string | undefined
}

/** The bus by its variables, or undefined. @param given an address in their place */
export function readBus(env: NodeJS.ProcessEnv, given: string | undefined): BusAddress | undefined {
  if (given !== undefined) return { url: given }
  const url = readSecret(env, 'NATS_URL')
  if (url === undefined) return undefined
  const [user, password, ca] = ['NATS_USER', 'NATS_PASSWORD', 'NATS_CA'].map((name) => readSecret(env, name))
  return { url, user, password, ca }
}

/** A variable, or the content of the file that `NAME_FILE` names. @throws UsageError when that cannot be read */
export function readSecret(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`]
  if (!file) return env[name] || undefined
  const text = readIfPresent(file)
  if (text === undefined) throw new UsageError(`${name}_FILE names ${file}, which cannot be read.`)
  return text
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

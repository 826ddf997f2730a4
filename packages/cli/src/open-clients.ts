import { type AdminClient, createAdminClient } from '@partsbus/client/admin-client'
import { createErpClient, type ErpClient } from '@partsbus/client/erp-client'
import { explainUnreachable, UsageError } from './exit-codes.js'
import type { CommandContext } from './command.js'
import { gatewayUrl, readIfPresent, storedAdminToken } from './installation.js'

/** A person waits for the answer. */
const FEW = { attempts: 3 }
/** A long load goes on after a restart of the gateway, and after maintenance. */
const MANY = { attempts: 8, withinMs: 5 * 60_000 }

/** The admin API by `ADMIN_TOKEN`, or by the token that `npm start` keeps in its state folder. */
export function openAdmin(env: NodeJS.ProcessEnv): AdminClient {
  const token = readSecret(env, 'ADMIN_TOKEN') ?? storedAdminToken(env)
  if (token !== undefined) return createAdminClient({ baseUrl: gatewayUrl(env), token, retry: FEW })
  throw new UsageError('The admin token is missing. Set ADMIN_TOKEN or ADMIN_TOKEN_FILE.')
}

/** @param token in place of the variable */
export function openErp({ env, terminal }: CommandContext, token = readSecret(env, 'ERP_TOKEN')): ErpClient {
  if (token === undefined) throw new UsageError('The ERP token is missing. Set ERP_TOKEN or ERP_TOKEN_FILE.')
  const onRetry = (error: unknown, pauseMs: number): void => {
    const reason = explainUnreachable(error) ?? (error as Error).message
    terminal.note(`${reason} Repeating in ${Math.round(pauseMs / 100) / 10} s.`)
  }
  return createErpClient({ baseUrl: gatewayUrl(env), token, retry: { ...MANY, onRetry } })
}

/** A variable, or the content of the file that `NAME_FILE` names. @throws UsageError when that cannot be read */
export function readSecret(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`]
  if (!file) return env[name] || undefined
  const text = readIfPresent(file)
  if (text === undefined) throw new UsageError(`${name}_FILE names ${file}, which cannot be read.`)
  return text
}

import { secretsKey } from '@partsbus/platform/process/config'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import type { Db } from 'mongodb'
import type { Diagnosis } from './finding.js'

export function openSecretBox(key: string): SecretBox {
  return new SecretBox(secretsKey.parse(key))
}

interface StorageRecord {
  _id: number
  supplier?: { headers?: Array<{ name: string; sealed: string }> }
}

/** Header values of suppliers that no key opens. */
export async function checkHeaders(stock: Db, box: SecretBox): Promise<Diagnosis[]> {
  const broken: string[] = []
  for await (const { _id, supplier } of stock.collection<StorageRecord>('storages').find()) {
    if (!Array.isArray(supplier?.headers)) continue
    for (const { name, sealed } of supplier.headers)
      if (!canOpen(box, sealed, [`storage ${_id} header ${name.toLowerCase()}`]))
        broken.push(`${name} of storage ${_id}`)
  }
  return describe(broken, 'Send the header values again (PATCH /storages/:id), or add the former key to SECRETS_KEY.')
}

interface ListRecord {
  _id: number
  sources?: Array<{ id: number; sealed_password?: string | null }>
}

/** Passwords of sources that no key opens. */
export async function checkPasswords(pricing: Db, box: SecretBox): Promise<Diagnosis[]> {
  const broken: string[] = []
  for await (const { _id, sources = [] } of pricing.collection<ListRecord>('price_lists').find()) {
    for (const { id, sealed_password: sealed } of sources)
      // version 0.1 sealed without a context
      if (typeof sealed === 'string' && !canOpen(box, sealed, [`price list ${_id} source ${id}`, '']))
        broken.push(`source ${id} of price list ${_id}`)
  }
  return describe(broken, 'Send the passwords again (PATCH /price-lists/:id), or add the former key to SECRETS_KEY.')
}

function canOpen(box: SecretBox, sealed: string, contexts: readonly string[]): boolean {
  return contexts.some((context) => {
    try {
      box.open(sealed, context)
      return true
    } catch {
      return false
    }
  })
}

function describe(broken: readonly string[], advice: string): Diagnosis[] {
  if (broken.length === 0) return []
  const message = `Secrets cannot be opened with this SECRETS_KEY: ${broken.join(', ')}.`
  return [{ code: 'secrets-unreadable', severity: 'error', message, advice }]
}

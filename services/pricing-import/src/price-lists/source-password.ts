import type { SecretBox } from '@partsbus/platform/process/secret-box'

/** A sealed password cannot be moved to another source or list. */
function contextOf(listId: number, sourceId: number): string {
  return `price list ${listId} source ${sourceId}`
}

export function sealPassword(secrets: SecretBox, password: string, listId: number, sourceId: number): string {
  return secrets.seal(password, contextOf(listId, sourceId))
}

/** @throws Error when it was sealed for another source, or with an unknown key */
export function openPassword(secrets: SecretBox, sealed: string, listId: number, sourceId: number): string {
  try {
    return secrets.open(sealed, contextOf(listId, sourceId))
  } catch (error) {
    try {
      // version 0.1 sealed without a context
      return secrets.open(sealed)
    } catch {
      throw error
    }
  }
}

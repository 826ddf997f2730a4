import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const TAG_BYTES = 16

/**
 * Encrypts secrets at rest with AES-256-GCM. A sealed text is `v2:key id:nonce:tag:data`, the last three in base64.
 * Texts of the first version, `v1:nonce:tag:data`, can still be opened; they have no key id and no context.
 */
export class SecretBox {
  private readonly keys: ReadonlyMap<string, Buffer>
  private readonly sealingKey: [id: string, key: Buffer]

  /** @param keys the first seals, all open: so that a key can be replaced without sending every secret again */
  constructor(keys: readonly Buffer[]) {
    const [first, ...older] = keys.map((key) => [keyId(key), key] as [string, Buffer])
    if (!first) throw new Error('A secret box needs a key')
    this.sealingKey = first
    this.keys = new Map([...older, first])
  }

  /** @param context where the text is stored; it can be opened with the same context only */
  seal(secret: string, context = ''): string {
    const [id, key] = this.sealingKey
    const nonce = randomBytes(12)
    const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(associatedData(id, context))
    const data = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return ['v2', id, ...[nonce, cipher.getAuthTag(), data].map((part) => part.toString('base64'))].join(':')
  }

  /** Whether the text was sealed by this version with the first key. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`v2:${this.sealingKey[0]}:`)
  }

  /** @throws Error when the text was sealed with an unknown key or another context, or was changed */
  open(sealed: string, context = ''): string {
    const [version, ...parts] = sealed.split(':')
    if (version === 'v1' && parts.length === 3) return this.openFirstVersion(parts)
    const [id = '', ...encrypted] = parts
    if (version !== 'v2' || encrypted.length !== 3) throw new Error('Not a sealed secret')
    const key = this.keys.get(id)
    if (!key) throw new Error(`Sealed with the unknown key ${id}`)
    return decrypt(key, encrypted, associatedData(id, context))
  }

  canOpen(sealed: string, context = ''): boolean {
    try {
      this.open(sealed, context)
      return true
    } catch {
      return false
    }
  }

  private openFirstVersion(parts: readonly string[]): string {
    let failure: unknown
    for (const key of this.keys.values()) {
      try {
        return decrypt(key, parts)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }
}

function decrypt(key: Buffer, parts: readonly string[], associated?: Buffer): string {
  const [nonce, tag, data] = parts.map((part) => Buffer.from(part, 'base64')) as [Buffer, Buffer, Buffer]
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  if (associated) decipher.setAAD(associated)
  decipher.setAuthTag(tag)
  return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8')
}

/** Names a key without revealing it. */
function keyId(key: Buffer): string {
  return createHash('sha256').update('partsbus key id').update(key).digest('hex').slice(0, 8)
}

function associatedData(id: string, context: string): Buffer {
  return Buffer.from(`v2:${id}:${context}`)
}

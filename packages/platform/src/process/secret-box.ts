import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const VERSION = 'v1'

/** Encrypts secrets at rest with AES-256-GCM. A sealed text is `v1:nonce:tag:data`, each part in base64. */
export class SecretBox {
  private readonly key: Buffer

  constructor(key: Buffer) {
    this.key = key
  }

  seal(secret: string): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce)
    const data = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return [VERSION, nonce.toString('base64'), cipher.getAuthTag().toString('base64'), data.toString('base64')].join(
      ':',
    )
  }

  /** @throws Error when the text was sealed with another key, or was changed */
  open(sealed: string): string {
    const [version, nonce, tag, data] = sealed.split(':')
    if (version !== VERSION || !nonce || !tag || data === undefined) throw new Error('Not a sealed secret')
    const decipher = createDecipheriv('aes-256-gcm', this.key, Buffer.from(nonce, 'base64'))
    decipher.setAuthTag(Buffer.from(tag, 'base64'))
    return Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString('utf8')
  }
}

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** 32 MiB and 0.2 s of one core for each hash. */
export const COST = { N: 2 ** 15, r: 8, p: 3 }
/** Node refuses more than 32 MiB by default; the buffers of scrypt need a little more than `128 * N * r`. */
const MAX_MEMORY = 64 * 1024 * 1024
const SALT_BYTES = 16
const KEY_BYTES = 32

/** The stored form of a password (admin.md#passwords). */
export interface PasswordHash {
  /** the cost it was made with, so that a later release can raise it */
  cost: { N: number; r: number; p: number }
  /** base64 */
  salt: string
  /** base64 */
  key: string
}

export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(SALT_BYTES)
  const key = await deriveKey(password, salt, COST)
  return { cost: COST, salt: salt.toString('base64'), key: key.toString('base64') }
}

/** Takes the same time without a stored hash: an unknown name must not be answered faster. */
export async function verifyPassword(password: string, stored: PasswordHash | null | undefined): Promise<boolean> {
  const { cost, salt, key } = stored ?? { cost: COST, salt: '', key: '' }
  const derived = await deriveKey(password, Buffer.from(salt, 'base64'), cost)
  const expected = Buffer.from(key, 'base64')
  return expected.length === derived.length && timingSafeEqual(expected, derived)
}

function deriveKey(password: string, salt: Buffer, cost: PasswordHash['cost']): Promise<Buffer> {
  // keyboards and systems write the same letter as one or as two code points
  const text = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(text, salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY }, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}

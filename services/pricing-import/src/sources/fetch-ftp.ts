import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { rootCertificates } from 'node:tls'
import { fileExtension } from '@partsbus/price-file/file-kind'
import { Client, type FileInfo, FTPError } from 'basic-ftp'
import type { SourceState, StoredSource } from '../price-lists/price-list-record.js'
import { cap, tooLarge } from './capped-file.js'
import { checkedAddress } from './checked-address.js'
import { type Fetched, type FetchPlan, toInstant } from './fetched-file.js'
import { matchesPattern } from './name-pattern.js'
import { SourceFailure } from './source-failure.js'

const IDLE_TIMEOUT_MS = 60_000
const MAX_TIME_QUERIES = 200
/** Servers on this port use TLS from the first byte; on others the client requests it (RFC 4217). */
const IMPLICIT_PORT = 990

type FtpSource = Extract<StoredSource, { kind: 'ftp' }>

/**
 * Fetches the newest file of a folder whose name matches, by FTP, or with `secure` by FTP over TLS. Data connections go
 * to the checked address too, even if the server names another one.
 * @throws SourceFailure
 */
export async function fetchFtp(
  source: FtpSource,
  password: string | undefined,
  state: SourceState,
  plan: FetchPlan,
): Promise<Fetched> {
  const { host, port = 21, secure = false, username = 'anonymous', path = '', pattern = '*' } = source
  const address = await checkedAddress(host, port, plan.allowedHosts)
  const client = new Client(IDLE_TIMEOUT_MS)
  try {
    await client.access({
      host: address,
      port,
      user: username,
      password: password ?? '',
      secure: secure && port === IMPLICIT_PORT ? 'implicit' : secure,
      secureOptions: { servername: host, ca: [...rootCertificates, ...plan.certificates] },
    })
    if (path !== '') await client.cd(path)
    const files = (await client.list()).filter(
      (entry) => entry.isFile && matchesPattern(entry.name, pattern) && fileExtension(entry.name) !== undefined,
    )
    await addTimes(client, files)
    const file = newest(files)
    if (!file) throw new SourceFailure(`No file of a listed type matches "${pattern}" in the folder.`, 'NO_FILE')
    const mark = `${file.name}:${file.size}:${file.modifiedAt?.toISOString() ?? file.rawModifiedAt}`
    if (state.etag === mark) return { outcome: 'unchanged' }
    if (file.size > plan.maxBytes) throw tooLarge(plan.maxBytes)
    const capped = cap(plan.maxBytes)
    const written = pipeline(capped, createWriteStream(plan.path))
    // awaited below
    written.catch(() => undefined)
    try {
      // the download ends when the file is too large or cannot be written
      await Promise.race([
        client.downloadTo(capped, file.name),
        written.then(() => new Promise<never>(() => undefined)),
      ])
      await written
    } finally {
      capped.destroy()
    }
    return {
      outcome: 'fetched',
      file_name: file.name.slice(-191).toWellFormed(),
      modified_at: toInstant(file.modifiedAt),
      marks: { etag: mark },
    }
  } catch (error) {
    throw error instanceof FTPError ? toSourceFailure(error) : error
  } finally {
    client.close()
  }
}

/** A LIST reply has no exact times, so they are queried file by file (MDTM) if the server supports it. */
async function addTimes(client: Client, files: FileInfo[]): Promise<void> {
  for (const file of files.slice(0, MAX_TIME_QUERIES)) {
    if (file.modifiedAt) continue
    const at = await client.lastMod(file.name).catch(() => undefined)
    if (!at) return
    file.modifiedAt = at
  }
}

function toSourceFailure({ code, message }: FTPError): SourceFailure {
  if (code < 400) return new SourceFailure('The host cannot be reached.', 'UNREACHABLE')
  return new SourceFailure(`The server answered: ${message.slice(0, 300)}`, code === 530 ? 'LOGIN_REFUSED' : 'FAILED')
}

/** The file with the latest modification time; without times, the last name. */
function newest(files: FileInfo[]): FileInfo | undefined {
  return files.toSorted(
    (one, other) =>
      (other.modifiedAt?.getTime() ?? 0) - (one.modifiedAt?.getTime() ?? 0) || (one.name < other.name ? 1 : -1),
  )[0]
}

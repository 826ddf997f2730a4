import { rootCertificates } from 'node:tls'
import { fileExtension } from '@partsbus/price-file/file-kind'
import { ImapFlow, type MessageStructureObject } from 'imapflow'
import type { SourceState, StoredSource } from '../price-lists/price-list-record.js'
import { writeCapped } from './capped-file.js'
import { checkedAddress } from './checked-address.js'
import { type Fetched, type FetchPlan, toInstant } from './fetched-file.js'
import { matchesPattern } from './name-pattern.js'
import { SourceFailure } from './source-failure.js'

/** New messages of a folder that are examined, the newest first. */
const MAX_MESSAGES = 500
const IDLE_TIMEOUT_MS = 60_000
/**
 * Of a line or literal of an answer, which the client holds in memory. A search in a folder of a million messages is
 * answered with one line of 8 MB; a file is read in pieces of 64 KiB.
 */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const TOO_LONG = new Set<unknown>(['LineTooLarge', 'LiteralTooLarge', 'ResponseTooLarge'])

type EmailSource = Extract<StoredSource, { kind: 'email' }>

interface Attachment {
  uid: number
  part: string
  name: string
  /** of the message */
  modified_at: string | null
}

/**
 * Fetches the newest matching attachment of a mailbox, by IMAP over TLS (STARTTLS on port 143). `etag` is the UID of
 * the last examined message (`validity:uid`), so the read flags of messages do not matter.
 * @throws SourceFailure
 */
export async function fetchEmail(
  source: EmailSource,
  password: string | undefined,
  state: SourceState,
  plan: FetchPlan,
): Promise<Fetched> {
  const { host, port = 993, username = '', folder = 'INBOX' } = source
  const address = await checkedAddress(host, port, plan.allowedHosts)
  const client = new ImapFlow({
    host: address,
    port,
    secure: port !== 143,
    ...(port === 143 && { doSTARTTLS: true }),
    servername: host,
    auth: { user: username, pass: password ?? '' },
    logger: false,
    connectionTimeout: IDLE_TIMEOUT_MS,
    greetingTimeout: IDLE_TIMEOUT_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
    tls: { ca: [...rootCertificates, ...plan.certificates] },
    maxLineLength: MAX_ANSWER_BYTES,
    maxLiteralSize: MAX_ANSWER_BYTES,
    maxResponseSize: 2 * MAX_ANSWER_BYTES,
  })
  // the failing command reports that the connection is gone, this event the reason
  let isTooLong = false
  client.on('error', (error: { code?: unknown }) => {
    isTooLong ||= TOO_LONG.has(error.code)
  })
  try {
    await client.connect().catch((error: unknown) => {
      throw toLoginFailure(error)
    })
    await client.mailboxOpen(folder || 'INBOX', { readOnly: true }).catch(() => {
      throw new SourceFailure(`The folder "${folder}" cannot be opened.`, 'NO_FILE')
    })
    return await newestAttachment(client, source, state, plan)
  } catch (error) {
    if (isTooLong || TOO_LONG.has((error as { code?: unknown }).code))
      throw new SourceFailure(`The server sent an answer of more than ${MAX_ANSWER_BYTES} bytes.`, 'TOO_LARGE')
    throw error
  } finally {
    client.close()
  }
}

async function newestAttachment(
  client: ImapFlow,
  source: EmailSource,
  state: SourceState,
  plan: FetchPlan,
): Promise<Fetched> {
  const validity = client.mailbox === false ? '' : String(client.mailbox.uidValidity)
  const [seenValidity, seenUid] = (state.etag ?? '').split(':')
  const seen = seenValidity === validity ? Number(seenUid) : 0
  const found = (await client.search({ uid: `${seen + 1}:*` }, { uid: true })) || []
  // `n:*` includes the last message even when its UID is lower
  const uids = found
    .filter((uid) => uid > seen)
    .sort((one, other) => other - one)
    .slice(0, MAX_MESSAGES)
  // messages do not change, so one that does not match now never will
  const marks = { etag: `${validity}:${uids[0] ?? seen}` }
  for (const uid of uids) {
    const attachment = await findAttachment(client, uid, source)
    if (!attachment) continue
    const { content } = await client.download(String(uid), attachment.part, { uid: true })
    if (!content) throw new SourceFailure(`The attachment "${attachment.name}" cannot be read.`)
    await writeCapped(content, plan.path, plan.maxBytes)
    return { outcome: 'fetched', file_name: attachment.name, modified_at: attachment.modified_at, marks }
  }
  return { outcome: 'unchanged', marks }
}

async function findAttachment(
  client: ImapFlow,
  uid: number,
  { from = '', subject = '', file_name = '' }: EmailSource,
): Promise<Attachment | undefined> {
  const message = await client.fetchOne(String(uid), { uid: true, envelope: true, bodyStructure: true }, { uid: true })
  if (!message || !message.bodyStructure) return undefined
  const senders = message.envelope?.from ?? []
  if (!senders.some(({ address = '', name = '' }) => matchesPattern(address, from) || matchesPattern(name, from)))
    return undefined
  if (!matchesPattern(message.envelope?.subject ?? '', subject)) return undefined
  for (const part of parts(message.bodyStructure)) {
    const name = part.dispositionParameters?.['filename'] ?? part.parameters?.['name'] ?? ''
    if (fileExtension(name) !== undefined && matchesPattern(name, file_name))
      return {
        uid,
        part: part.part ?? '1',
        name: name.slice(-191).toWellFormed(),
        modified_at: toInstant(message.envelope?.date),
      }
  }
  return undefined
}

function* parts(structure: MessageStructureObject): Generator<MessageStructureObject> {
  if (structure.childNodes) for (const child of structure.childNodes) yield* parts(child)
  else yield structure
}

function toLoginFailure(error: unknown): unknown {
  const isRefused = error instanceof Error && 'authenticationFailed' in error && error.authenticationFailed === true
  return isRefused ? new SourceFailure('The server refused the user name or password.', 'LOGIN_REFUSED') : error
}

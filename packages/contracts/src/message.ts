import type { z } from 'zod'

/** `high`: admitted before other calls, and worked on in slots of its own (rules.md#overload). */
export type Priority = 'high'

/** A request to one service: one subject, one request, one reply. */
export interface Command<Request extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> {
  readonly kind: 'command'
  readonly subject: string
  readonly request: Request
  readonly reply: Reply
  /** the request's array of items, which may have at most `erp_max_batch_items`; checked before anything else */
  readonly batchField?: string
  readonly priority?: Priority
  /** answered by the process that the caller names, like the one that answered before: {@link subjectOfProcess} */
  readonly ofProcess?: true
}

/**
 * A request with many items of one kind, as a bare array or as `{[key]: array}`.
 * An invalid item rejects the batch or only itself, depending on the caller's error policy.
 */
export interface BatchCommand<Item extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> {
  readonly kind: 'batch'
  readonly subject: string
  /** name of the array in the object form, like `products` */
  readonly key: string
  /** the item's field that names it in `errors`, like `id_erp` */
  readonly idField: string
  readonly item: Item
  readonly reply: Reply
  readonly priority?: Priority
}

/** An event, published after the write, at least once, on the stream `EVENTS`. */
export interface DomainEvent<Payload extends z.ZodType = z.ZodType> {
  readonly kind: 'event'
  readonly subject: string
  readonly payload: Payload
}

export type RequestOf<C extends Command> = z.infer<C['request']>
export type ReplyOf<C extends Command | BatchCommand> = z.infer<C['reply']>
export type ItemOf<C extends BatchCommand> = z.infer<C['item']>

export function command<Request extends z.ZodType, Reply extends z.ZodType>(
  subject: string,
  shapes: { request: Request; reply: Reply; batchField?: string; priority?: Priority; ofProcess?: true },
): Command<Request, Reply> {
  return { kind: 'command', subject, ...shapes }
}

export function batchCommand<Item extends z.ZodType, Reply extends z.ZodType>(
  subject: string,
  shapes: { key: string; idField: string; item: Item; reply: Reply; priority?: Priority },
): BatchCommand<Item, Reply> {
  return { kind: 'batch', subject, ...shapes }
}

export function domainEvent<Payload extends z.ZodType>(subject: string, payload: Payload): DomainEvent<Payload> {
  return { kind: 'event', subject, payload }
}

/** Header names on the bus (architecture.md#bus). */
export const busHeaders = {
  requestId: 'x-request-id',
  /** the API of the gateway that the request came to, for the log; absent in background work */
  api: 'x-api',
  /** whose share of a capacity a request uses, like the address of a partner; absent: nobody's in particular */
  caller: 'x-caller',
  timeoutMs: 'x-timeout-ms',
  settings: 'x-settings',
  error: 'x-error',
  /** options of an ERP batch as JSON; absent when there are none */
  batchOptions: 'x-batch-options',
  /** of the reply to a batch: its counts, like `processed=3,created=1` */
  batchCounts: 'x-batch-counts',
  /** of a reply of the search: the outcome of each storage, like `12=ok,14=timeout,15=error` */
  suppliers: 'x-suppliers',
  traceparent: 'traceparent',
  /** id of the call, by which the caller can ask which process is working on it */
  call: 'x-call',
} as const

/** Every process of a service answers which of the named calls it is working on. */
export function inFlightCallsSubject(service: string): string {
  return `${service}.calls.held`
}

/** Answered by one process of a service for as long as it runs. */
export function processSubject(service: string, process: string): string {
  return `${service}.processes.${process}`
}

/** Where one process of a service answers a command that is `ofProcess`. */
export function subjectOfProcess(subject: string, process: string): string {
  return `${subject}.${process}`
}

/** 8 MiB of body and 64 KiB for headers; every shipped server configuration says the same. */
export const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024 + 64 * 1024

/** The largest JSON body: of an ERP batch. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024
/** The largest JSON body of the partner API and the admin API. */
export const MAX_SMALL_BODY_BYTES = 1024 * 1024

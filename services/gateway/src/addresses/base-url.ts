import type { IncomingMessage } from 'node:http'
import { type AddressList, listContains, parseAddress } from '@partsbus/platform/net/address-list'

const HOST = /^[A-Za-z0-9._-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/

/**
 * The URL of the gateway from outside: PUBLIC_URL, else the scheme and host of the request, which a trusted proxy may
 * override by `X-Forwarded-Proto` and `X-Forwarded-Host` (the last value, its own). Empty when the host is not valid.
 */
export function requestBaseUrl(request: IncomingMessage, publicUrl: string | undefined, trusted: AddressList): string {
  if (publicUrl !== undefined) return publicUrl
  const peer = parseAddress(request.socket.remoteAddress ?? '')
  const isTrusted = peer !== undefined && listContains(trusted, peer)
  const forwarded = (name: string): string | undefined => (isTrusted ? lastValue(request.headers[name]) : undefined)
  const host = forwarded('x-forwarded-host') ?? request.headers.host ?? ''
  const scheme = forwarded('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http'
  return HOST.test(host) ? `${scheme}://${host}` : ''
}

/** The path of PUBLIC_URL, empty at the root of a host. */
export function publicPath(publicUrl: string | undefined): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
}

function lastValue(header: string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header).split(',').at(-1)?.trim()
}

/** Prefixes image paths with the base URL, in one resource or a list. */
export function withBaseUrl(result: unknown, baseUrl: () => string): unknown {
  if (!isRecord(result)) return result
  if (Array.isArray(result.data))
    return { ...result, data: result.data.map((row: unknown) => withBaseUrl(row, baseUrl)) }
  if (!Array.isArray(result.media)) return result
  return {
    ...result,
    media: result.media.map((media: unknown) =>
      isRecord(media) ? { ...media, url: `${baseUrl()}${String(media.url)}` } : media,
    ),
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Bytes that were sent, of the whole. */
export type UploadProgress = (sent: number, total: number) => void

interface FormRequest {
  form: FormData
  headers: Record<string, string>
  signal?: AbortSignal | undefined
  onProgress?: UploadProgress | undefined
  fetch: typeof fetch | undefined
}

/** The part of a browser's XMLHttpRequest that an upload needs; fetch reports no progress. */
interface Xhr {
  upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null }
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  status: number
  responseText: string
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: FormData): void
  abort(): void
}

/** Posts a form: in a browser with its progress, elsewhere by fetch. */
export function sendForm(url: string, request: FormRequest): Promise<Response> {
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => Xhr }
  if (XMLHttpRequest && !request.fetch) return sendByXhr(new XMLHttpRequest(), url, request)
  const { form, headers, signal } = request
  return (request.fetch ?? fetch)(url, { method: 'POST', headers, body: form, ...(signal && { signal }) })
}

function sendByXhr(xhr: Xhr, url: string, { form, headers, signal, onProgress }: FormRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = (): void => xhr.abort()
    const settle = (outcome: () => void) => (): void => {
      signal?.removeEventListener('abort', abort)
      outcome()
    }
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener('abort', abort)
    xhr.open('POST', url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total)
    xhr.onload = settle(() =>
      resolve(
        new Response(xhr.status === 204 ? null : xhr.responseText, {
          status: xhr.status,
          headers: parseHeaders(xhr.getAllResponseHeaders()),
        }),
      ),
    )
    xhr.onerror = settle(() => reject(new TypeError('Failed to fetch')))
    xhr.onabort = settle(() => reject(signal?.reason ?? new TypeError('Failed to fetch')))
    xhr.send(form)
  })
}

function parseHeaders(text: string): [string, string][] {
  return text
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
}

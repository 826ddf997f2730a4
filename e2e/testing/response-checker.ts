import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type ApiResponse, ApiClient, type Method, type ApiRequest } from './api-client.js'

interface Documented {
  content?: Record<string, { schema?: object }>
}

interface ApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, Documented> }>>
  components: object
}

type Node = Record<string, unknown>

/**
 * Holds real answers against the OpenAPI document that the product itself gives, and remembers which endpoints answered
 * what.
 */
export class ResponseChecker {
  /** `POST /api/admin/storages 201` */
  readonly seen = new Set<string>()
  readonly violations: string[] = []
  private readonly document: ApiDocument
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true })

  constructor(document: ApiDocument) {
    this.document = document
    formats.default(this.ajv)
    this.ajv.addSchema({ $id: 'document', components: closed(document.components) as object })
  }

  /** Endpoints, each with one of its answers that means success, which were never seen. */
  unseen(): string[] {
    return Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) => {
        const good = Object.keys(responses)
          .filter((status) => status.startsWith('2'))
          .map((status) => `${method.toUpperCase()} ${path} ${status}`)
        return good.some((one) => this.seen.has(one)) ? [] : good.slice(0, 1)
      }),
    )
  }

  check(method: string, url: string, answer: ApiResponse): void {
    const path = this.pathOf(new URL(url, 'http://product').pathname)
    const responses = path === undefined ? undefined : this.document.paths[path]?.[method.toLowerCase()]?.responses
    const name = `${method} ${path ?? url} ${answer.status}`
    const documented = responses?.[answer.status]
    if (!documented) return void this.violations.push(`${name} is not documented: ${answer.text.slice(0, 200)}`)
    this.seen.add(name)
    const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? ''
    if (!documented.content) {
      if (answer.text !== '') this.violations.push(`${name} has a body: ${answer.text.slice(0, 200)}`)
      return
    }
    const content = documented.content[type]
    if (!content) return void this.violations.push(`${name} came as ${type}`)
    const schema =
      content.schema &&
      (JSON.parse(
        JSON.stringify(closed(content.schema)).replaceAll('"#/components/', '"document#/components/'),
      ) as object)
    if (schema && !this.ajv.validate(schema, answer.body))
      this.violations.push(`${name}: ${this.ajv.errorsText()} in ${answer.text.slice(0, 300)}`)
  }

  private pathOf(pathname: string): string | undefined {
    const matches = (path: string): boolean =>
      new RegExp(
        `^${path
          .replaceAll('.', '\\.')
          .replaceAll('{erp_id}', '.+')
          .replaceAll(/\{\w+\}/g, '[^/]+')}$`,
      ).test(pathname)
    // a fixed path has priority over one with a parameter
    return Object.keys(this.document.paths)
      .filter(matches)
      .toSorted((one, other) => one.split('{').length - other.split('{').length)[0]
  }
}

/** A schema without additional fields: a response must not contain undocumented fields. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema as Node).map(([key, value]) => [key, closed(value)]))
  return 'properties' in copy &&
    typeof copy['properties'] === 'object' &&
    copy['type'] === 'object' &&
    !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy
}

/** A client that checks every response against the document. */
export class CheckedClient extends ApiClient {
  private readonly prefix: string
  private readonly answers: ResponseChecker

  constructor(origin: string, prefix: string, headers: Record<string, string>, answers: ResponseChecker) {
    super(`${origin}${prefix}`, headers)
    this.prefix = prefix
    this.answers = answers
  }

  override async send<Body = unknown>(
    method: Method,
    path: string,
    question: ApiRequest = {},
  ): Promise<ApiResponse<Body>> {
    const answer = await super.send<Body>(method, path, question)
    this.answers.check(method, `${this.prefix}${path}`, answer)
    return answer
  }
}

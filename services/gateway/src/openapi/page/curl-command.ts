import type { OperationObject, ParameterObject } from '../document/document-shape.js'

const variables: Readonly<Record<string, string>> = { erp: 'ERP_TOKEN', b2b: 'B2B_TOKEN', admin: 'ADMIN_TOKEN' }

/** A command that calls an endpoint with its first example, to be pasted into a shell that knows the token. */
export function curlCommand(baseUrl: string, path: string, method: string, operation: OperationObject): string {
  const parameters = operation.parameters ?? []
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => String(exampleOf(parameters, name) ?? name))
  const door = Object.keys(operation.security[0] ?? {})[0]
  const body = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})[0]
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${baseUrl}${url}'`,
    door !== undefined && `-H "Authorization: Bearer $${variables[door]}"`,
    ...formFields(operation),
    body && "-H 'Content-Type: application/json'",
    body && `-d '${JSON.stringify(body.value, null, 2).replaceAll("'", "'\\''")}'`,
  ]
  return lines.filter((line) => typeof line === 'string').join(' \\\n  ')
}

/** A field that is a file is named with `@`, as curl wants it. */
function formFields(operation: OperationObject): string[] {
  const form = operation.requestBody?.content['multipart/form-data']
  const fields = (form?.schema?.properties ?? {}) as Record<string, { format?: string }>
  const values = (form?.examples?.form?.value ?? {}) as Record<string, unknown>
  return Object.entries(values).map(
    ([name, value]) => `-F '${name}=${fields[name]?.format === 'binary' ? '@' : ''}${String(value)}'`,
  )
}

function exampleOf(parameters: readonly ParameterObject[], name: string): unknown {
  return parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.example
}

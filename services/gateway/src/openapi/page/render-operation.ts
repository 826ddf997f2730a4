import { STATUS_CODES } from 'node:http'
import type {
  ExampleObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from '../document/document-shape.js'
import { curlCommand } from './curl-command.js'
import { type Html, html } from './html.js'
import { namesIn, renderFields, renderType, schemaLink } from './render-schema.js'
import { renderLine, renderText } from './render-text.js'

/** One endpoint: what it does, what it takes, a command that calls it, and everything it may answer. */
export function renderOperation(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: OperationObject,
): Html {
  const door = Object.keys(operation.security[0] ?? {})[0]
  const body = operation.requestBody
  const json = body?.content['application/json']
  const form = body?.content['multipart/form-data']
  return html`<article id="${operation.operationId}">
    <h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
    <p class="call">
      <b class="method ${method}">${method.toUpperCase()}</b> <code>${path}</code>
      <span class="door">${door === undefined ? 'no token' : `${door} token`}</span>
    </p>
    ${renderText(operation.description)} ${operation.parameters && renderParameters(operation.parameters)}
    ${
      body &&
      form?.schema &&
      html`<h4>Form</h4>
        <p>${renderLine(body.description)}</p>
        ${renderFields(form.schema)}`
    }
    ${
      body &&
      json?.schema &&
      html`<h4>Body</h4>
        <p>${renderLine(body.description)}</p>
        <p>${renderType(json.schema)}</p>
        ${namesIn(json.schema, document.components.schemas).map((name, at) => html`<details${at === 0 && html` open`}><summary>${name}</summary>${renderFields(document.components.schemas[name] ?? {})}</details>`)}`
    }
    <h4>Example</h4>
    <pre><code>${curlCommand(document.servers[0]?.url ?? '', path, method, operation)}</code></pre>
    ${Object.values(json?.examples ?? {})
      .slice(1)
      .map(renderExample)}
    <h4>Answers</h4>
    <div class="answers">
      ${Object.entries(operation.responses).map(([status, answer]) => renderAnswer(status, answer))}
    </div>
  </article> `
}

function renderParameters(parameters: readonly ParameterObject[]): Html {
  return html`<h4>Parameters</h4>
    <table class="fields">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">In</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${parameters.map(
          (parameter) =>
            html`<tr>
              <td><code>${parameter.name}</code>${parameter.required && html` <b class="required">required</b>`}</td>
              <td class="place">${parameter.in}</td>
              <td>${renderType(parameter.schema)}</td>
              <td>
                ${renderLine(parameter.description)}${parameter.schema.default !== undefined && html` Default <code>${JSON.stringify(parameter.schema.default)}</code>.`}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>`
}

function renderAnswer(status: string, answer: ResponseObject): Html {
  const json = answer.content?.['application/json']
  const others = Object.keys(answer.content ?? {}).filter((type) => type !== 'application/json')
  const name = typeof json?.schema?.$ref === 'string' ? json.schema.$ref.split('/').at(-1) : undefined
  return html`<details${status.startsWith('2') && html` open`}><summary><b class="status s${status.slice(0, 1)}">${status}</b> ${STATUS_CODES[status] ?? ''}</summary>
<p>${renderLine(answer.description)}${name !== undefined && html` Body: ${schemaLink(name)}.`}${!name && json?.schema && html` Body: ${renderType(json.schema)}.`}${others.length > 0 && ` Body: ${others.join(', ')}.`}${answer.headers && ` Headers: ${Object.keys(answer.headers).join(', ')}.`}</p>
${Object.values(json?.examples ?? {}).map(renderExample)}
</details>
`
}

function renderExample({ summary, value }: ExampleObject): Html {
  return html`<figure>
    <figcaption>${renderLine(summary)}</figcaption>
    <pre><code>${JSON.stringify(value, null, 2)}</code></pre>
  </figure>`
}

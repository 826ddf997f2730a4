import type { OpenApiDocument } from '../document/document-shape.js'
import { type Html, html, Html as HtmlText } from './html.js'
import { style } from './page-style.js'
import { renderOperation } from './render-operation.js'
import { renderFields } from './render-schema.js'
import { renderLine, renderText } from './render-text.js'

/** The whole document as one page that needs nothing else: no script, no font, no other request. */
export function renderPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const groups = document.tags.map((tag, at) => ({
    ...tag,
    anchor: `group-${at + 1}`,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title} API</title>
        <style>
          ${new HtmlText(style)}
        </style>
      </head>
      <body>
        <nav aria-label="Endpoints">
          <p class="title"><a href="#top">${document.info.title}</a> <small>${document.info.version}</small></p>
          ${groups.map(
            (group) =>
              html`<h2><a href="#${group.anchor}">${group.name}</a></h2>
                <ul>
                  ${group.operations.map(
                    ({ method, operation }) =>
                      html`<li>
                        <a href="#${operation.operationId}"
                          ><b class="method ${method}">${method.toUpperCase()}</b> ${operation.summary}</a
                        >
                      </li>`,
                  )}
                </ul>`,
          )}
          <h2><a href="#schemas">Schemas</a></h2>
          <ul>
            ${Object.keys(document.components.schemas).map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}
          </ul>
        </nav>
        <main id="top">
          <h1>${document.info.title} API</h1>
          <p class="quiet">
            OpenAPI ${document.openapi}: <a href="/docs/json">the same as JSON</a>, for your generator or client.
          </p>
          ${renderText(document.info.description)}
          <h2>Tokens</h2>
          <dl>
            ${Object.entries(document.components.securitySchemes).map(
              ([name, scheme]) =>
                html`<dt>${name}</dt>
                  <dd>${renderLine(scheme.description)}</dd>`,
            )}
          </dl>
          ${groups.map(
            (group) =>
              html`<section id="${group.anchor}">
                <h2>${group.name}</h2>
                <p>${renderLine(group.description)}</p>
                ${group.operations.map(({ path, method, operation }) => renderOperation(document, path, method, operation))}
              </section> `,
          )}
          <section id="schemas">
            <h2>Schemas</h2>
            ${renderSchemas(document)}
          </section>
        </main>
      </body>
    </html> `.text
}

function renderSchemas(document: OpenApiDocument): Html {
  return html`${Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      html`<article id="schema-${name}">
        <h3>${name}</h3>
        ${renderFields(schema)}
      </article> `,
  )}`
}

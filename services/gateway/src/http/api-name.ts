const API = /^\/api\/(erp|b2b|admin)(?:[/?]|$)/

/** The API that a URL belongs to, for logs and traces; undefined for images, pages and unknown paths. */
export function apiName(url: string): string | undefined {
  return API.exec(url)?.[1]
}

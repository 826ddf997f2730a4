/**
 * Headers of every page (admin.md#pages-headers): scripts, styles and calls of this origin alone, nothing inline.
 * @param publicUrl images are served there
 */
export function pageHeaders(publicUrl: string | undefined): Record<string, string> {
  const images = publicUrl === undefined ? '' : ` ${new URL(publicUrl).origin}`
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self'${images}`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  }
}

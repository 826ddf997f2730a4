const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i

/** A host name in ASCII (international names in their `xn--` form), without port. Its last label is no number. */
export function isHostName(text: string): boolean {
  const labels = text.split('.')
  return text.length <= 253 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

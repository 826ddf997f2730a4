/** `next` of the sign-in page: only a path of these pages, never another host. */
export function ownPath(next: string): string {
  if (!next.startsWith('/') || next.startsWith('//') || /[\\\s]/.test(next)) return '/'
  return next.startsWith('/sign-in') || next.startsWith('/join') ? '/' : next
}

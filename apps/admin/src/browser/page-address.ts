/** `/admin/`, or behind a path of PUBLIC_URL `/shop/admin/`: found from the address of this script. */
export const base = new URL(/* @vite-ignore */ import.meta.env.DEV ? '/admin/' : '..', import.meta.url).pathname

/** The path before `/admin`: empty at the root of a host. */
export const prefix = base.replace(/\/admin\/$/, '')

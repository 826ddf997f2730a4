/** Sent for a secret that does not change. */
export const KEPT_SECRET = '***'

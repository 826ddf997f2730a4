/** What is sent for a secret that stays as it is. */
export const KEPT_SECRET = '***'

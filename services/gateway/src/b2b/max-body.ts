/** The largest JSON body a partner sends: 1,000 points and 100 brands are far less. */
export const MAX_BODY_BYTES = 1024 * 1024

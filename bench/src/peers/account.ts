/** The administrator of a peer, which listens on loopback and stores made-up products. */
export const ACCOUNT = { email: 'bench@example.com', password: 'a-secret-of-a-benchmark-on-loopback' }

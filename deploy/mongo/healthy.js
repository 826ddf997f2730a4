// Healthy: primary of rs0. The first time it also starts the set, which needs a running, accounted server.
// While the image still fills the empty database, the server has no set: that is not healthy yet.
const isPrimary = () => {
  const { setName, isWritablePrimary } = db.hello()
  return setName === 'rs0' && isWritablePrimary
}
if (!isPrimary()) {
  const password = require('fs').readFileSync('/run/secrets/mongodb_root_password', 'utf8').trim()
  db.getSiblingDB('admin').auth('root', password)
  try {
    rs.status()
  } catch (error) {
    if (error.codeName !== 'NotYetInitialized') throw error
    rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] })
  }
}
quit(isPrimary() ? 0 : 1)

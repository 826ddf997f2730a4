// Runs once, in the empty database: one user per service, who may read and write that service's database and no other.
// Name, password and database stand in the address the service itself is given.
const services = ['gateway', 'catalog', 'stock', 'pricing-import', 'supplier-search']
for (const service of services) {
  const address = new URL(require('fs').readFileSync(`/run/secrets/mongodb_url_${service}`, 'utf8').trim())
  const database = address.pathname.slice(1)
  db.getSiblingDB(database).createUser({
    user: address.username,
    pwd: decodeURIComponent(address.password),
    roles: [{ role: 'readWrite', db: database }],
  })
}

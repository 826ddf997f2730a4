// Runs once, in the empty database: one user per service, who may read and write that service's database and no other.
// Name, password and database stand in the address the service itself is given.
// mongorestore --oplogReplay needs it (docs/operate/backup.md#by-hand); it is in every dump, and so in every restored
// database
db.getSiblingDB('admin').createRole({
  role: 'replay',
  privileges: [{ resource: { anyResource: true }, actions: ['anyAction'] }],
  roles: [],
})
db.getSiblingDB('admin').grantRolesToUser('root', ['replay'])

// the statistics of the server, for its exporter in deploy/observability
db.getSiblingDB('admin').createUser({
  user: 'monitor',
  pwd: require('fs').readFileSync('/run/secrets/mongodb_monitor_password', 'utf8').trim(),
  roles: ['clusterMonitor', { role: 'read', db: 'local' }],
})

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

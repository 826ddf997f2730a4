#!/bin/bash
# Runs once, in the empty database: one user per service, with the name and password of the URL that the service is
# given. Clients of FerretDB are users of PostgreSQL. DocumentDB has roles for all databases only.
# In a subshell: the image runs a file that is not executable inside its own script.
(
  set -eu
  for service in gateway catalog stock pricing-import supplier-search; do
    account=$(sed 's#^mongodb://\([^@]*\)@.*#\1#' "/run/secrets/mongodb_url_$service")
    psql --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
      --set name="${account%%:*}" --set secret="${account#*:}" <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'secret' IN ROLE documentdb_admin_role;
SQL
  done
)

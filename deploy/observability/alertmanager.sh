#!/bin/sh
# Prints the configuration of Alertmanager. Who gets alerts is in the variables ALERT_*, what opens the mail server and
# the bot in secrets. Without any of them alerts are seen in Grafana only.
set -eu

secrets=${SECRETS_FOLDER:-/run/secrets}

fail() {
  echo "alertmanager: $1" >&2
  exit 1
}
# a string of YAML
quote() { printf '"%s"' "$(printf %s "$1" | sed 's/[\\"]/\\&/g')"; }
has() { [ -s "$secrets/$1" ]; }
read_secret() { tr -d '\r\n' < "$secrets/$1"; }

mail_to=${ALERT_MAIL_TO-}
chat=${ALERT_TELEGRAM_CHAT-}
watchdog=none
has alert_watchdog_url && watchdog=watchdog

if [ -n "$mail_to" ]; then
  [ -n "${ALERT_MAIL_FROM-}" ] || fail 'ALERT_MAIL_TO needs ALERT_MAIL_FROM'
  [ -n "${ALERT_SMTP_SERVER-}" ] || fail 'ALERT_MAIL_TO needs ALERT_SMTP_SERVER, as host:port'
  [ -z "${ALERT_SMTP_USER-}" ] || has alert_smtp_password || fail 'ALERT_SMTP_USER needs the secret alert_smtp_password'
fi
if [ -n "$chat" ]; then
  case $chat in
    -*[!0-9]* | [!-]*[!0-9]* | [!0-9-]* | -) fail 'ALERT_TELEGRAM_CHAT must be the number of a chat' ;;
  esac
  has alert_telegram_token || fail 'ALERT_TELEGRAM_CHAT needs the secret alert_telegram_token'
fi
[ -n "$mail_to$chat" ] || echo 'alertmanager: neither ALERT_MAIL_TO nor ALERT_TELEGRAM_CHAT is set, so no alert is sent' >&2

cat << END
route:
  receiver: people
  group_by: [alertname, service]
  group_wait: 30s
  group_interval: 5m
  repeat_interval: 12h
  routes:
    - { matchers: [severity = "none"], receiver: $watchdog, group_wait: 0s, group_interval: 1m, repeat_interval: 5m }
    - { matchers: [severity = "critical"], receiver: people, repeat_interval: 1h }
receivers:
  - name: none
END
if has alert_watchdog_url; then
  cat << END
  - name: watchdog
    webhook_configs:
      - url: $(quote "$(read_secret alert_watchdog_url)")
        send_resolved: false
END
fi
echo '  - name: people'
if [ -n "$mail_to" ]; then
  cat << END
    email_configs:
      - to: $(quote "$mail_to")
        from: $(quote "$ALERT_MAIL_FROM")
        smarthost: $(quote "$ALERT_SMTP_SERVER")
        send_resolved: true
END
  [ -z "${ALERT_SMTP_USER-}" ] || cat << END
        auth_username: $(quote "$ALERT_SMTP_USER")
        auth_password: $(quote "$(read_secret alert_smtp_password)")
END
fi
if [ -n "$chat" ]; then
  cat << END
    telegram_configs:
      - chat_id: $chat
        bot_token: $(quote "$(read_secret alert_telegram_token)")
        # as it is, without markup
        parse_mode: ''
        send_resolved: true
        message: |-
          {{ range .Alerts }}{{ if eq .Status "resolved" }}Resolved: {{ end }}{{ .Annotations.summary }}
          {{ .Labels.alertname }}, {{ .Labels.severity }}, {{ .Annotations.runbook_url }}
          {{ end }}
END
fi

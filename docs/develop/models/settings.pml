/*
 * The protocol of the settings: two gateways copy them, processes of the administration service read and change them,
 * over a bus that loses messages.
 *
 * A gateway asks one of the processes for the settings from time to time, and when it hears of a change. The process
 * renews the entry of the gateway first, unless it did so a moment ago, and reads the settings then. A change is
 * written, the gateways are listed whose entries are recent, and the change is answered when each of them has
 * acknowledged it, or when all copies from before it have expired.
 *
 * Time is a counter that may go on between any two steps, so every process may be frozen at any of them, and every
 * message may be late. A process that does not go on has crashed. Each atomic block is one operation of the database,
 * or one step of a process; the comment in front of it names the function that does it.
 * Options like -DENTRY_AFTER_READ bring back one defect each (see README.md).
 */
#define GATEWAYS 2
#define END 5        /* of time, which begins at 1; 0: never */

#define EXPIRE 2     /* SETTINGS_EXPIRE_MS */
#define RENEW 1      /* RENEW_MS */
#ifdef SHORT_ENTRIES
#define LIFETIME EXPIRE
#else
#define LIFETIME (EXPIRE + RENEW) /* GATEWAY_LIFETIME_MS is a little longer */
#endif
#ifdef EARLY_ANSWER
#define WAIT (EXPIRE - 1)
#else
#define WAIT EXPIRE
#endif

byte now = 1;

/* the database */
byte rev = 0;
byte seen[GATEWAYS];                /* when the entry of the gateway was renewed */

/* when a process of the administration service renewed an entry; others, and one that restarted, do not know it */
byte renewed[GATEWAYS];

/* the gateways */
byte copy[GATEWAYS];                /* the revision */
byte readAt[GATEWAYS];              /* the start of the read that it comes from */
byte step[GATEWAYS];                /* of the last read that was started */
byte applied[GATEWAYS];             /* of the last one that was applied */

/* the change */
bool published = false;             /* gateways may have heard of it */
byte acknowledged = 0;              /* set of gateways */
byte answered = 0;                  /* the revision that was answered */

#define BIT(x) (1 << (x))
#define VALID(g) (readAt[g] != 0 && now < readAt[g] + EXPIRE)
#define REGISTERED(g) (seen[g] != 0 && now < seen[g] + LIFETIME)

/* The property: when a change is answered no gateway serves the values before it, then and later. */
#define NONE_IS_OLD assert((!VALID(0) || copy[0] >= answered) && (!VALID(1) || copy[1] >= answered))

inline renew(g) {
  if
  :: renewed[g] != 0 && now - renewed[g] <= RENEW
  :: true ->
    seen[g] = now;
    renewed[g] = now
  fi
}

/* One read. A message that is lost is a process that does not go on. */
proctype Reader(byte g) {
  byte mine, startedAt, found;
  bool heard;
  /* SettingsCache.read; one that was started by the change has heard of it */
  atomic {
    step[g]++;
    mine = step[g];
    startedAt = now;
    if
    :: true
    :: published -> heard = true
    fi
  }
  /* ReadSettings.readSettings */
#ifdef ENTRY_AFTER_READ
  atomic { found = rev }
  atomic { renew(g) }
#else
  atomic { renew(g) }
  atomic { found = rev }
#endif
  /* SettingsCache.apply */
  atomic {
    if
#ifdef UNORDERED_READS
    :: true ->
#else
    :: mine >= applied[g] ->
#endif
      applied[g] = mine;
#ifdef AGE_OF_REPLY
      readAt[g] = now;
#else
      readAt[g] = startedAt;
#endif
      copy[g] = found;
      NONE_IS_OLD
    :: else
    fi
  }
  /* acknowledgeSettings */
  atomic {
    heard -> acknowledged = acknowledged | BIT(g)
  }
}

proctype Change() {
  byte mine, writtenAt, listed;
  /* SettingsStore.write */
  atomic {
    rev++;
    mine = rev;
    writtenAt = now
  }
  /* GatewayStore.list */
  atomic {
    if
    :: REGISTERED(0) -> listed = listed | BIT(0)
    :: else
    fi;
    if
    :: REGISTERED(1) -> listed = listed | BIT(1)
    :: else
    fi;
    published = true
  }
  /* SettingsWriter.awaitGateways */
  atomic {
#ifdef NO_WAIT
    (true);
#else
    ((acknowledged & listed) == listed || now >= writtenAt + WAIT);
#endif
    answered = mine;
    NONE_IS_OLD
  }
}

proctype Clock() {
  do
  :: now < END -> now++
  :: else -> break
  od
}

init {
  atomic {
    /* a gateway polls, and reads when it hears of a change: two reads may overlap */
    run Reader(0);
    run Reader(0);
    run Reader(1);
    run Change();
    run Clock()
  }
}

/*
 * The protocol that replaces a price list: upload, claim, write, switch, fail, cancel, roll back, remove.
 *
 * Two workers import two uploads of one list while an administrator rolls back and cancels. A worker may crash between
 * any two steps, and a lease may expire while its owner is merely slow (a frozen process, a paused virtual machine).
 * Nudges are hints in the product, so lost and repeated messages need no state here: a worker may look for work at any
 * time. Clocks do not appear either: every delay (a lease, the grace before rows are deleted) may be over at any moment,
 * which covers skewed clocks. Rows have deterministic ids, so a row is one bit of its version.
 *
 * At the start versions 1 and 2 are kept, and a rollback has led from 2 to 1; the uploads become versions 3 and 4.
 *
 * Each atomic block is one database operation; the comment in front of it names the function that does it.
 * Options like -DEARLY_REMOVE bring back one defect each (see README.md).
 */
#define FIRST_TASK 3
#define LAST_TASK 4
#define FULL 3 /* two rows, one bit each */
#define KEPT 3 /* versions kept for a rollback */

#define BIT(v) (1 << (v))
#define OPEN(t) (status[t] == pending || status[t] == processing)
#define OVER(t) (status[t] == completed || status[t] == failed)
#define HAS(set, v) (((set) >> (v)) & 1)

mtype = { absent, pending, processing, completed, failed }

/* the price list document */
byte live = 1;
byte highest = 2;      /* highest version that was ever live */
byte fence = 0;        /* highest upload at the last rollback: none up to it may go live */
byte versions = 6;     /* set of kept versions: 1 and 2 */
byte order[KEPT];      /* the kept versions, the most recently live first; 0: none */
byte rolledBack = 4;   /* set of kept versions from which a rollback led: 2 */
byte removed = 0;      /* set of versions whose rows are to be deleted */
byte leaseOwner = 0;   /* 0: free */

/* the task documents, by version */
mtype status[5];
byte attempt[5];
bool switching[5];
bool superseded[5];
byte counted[5];       /* rows that the saved counters stand for */

/* the offers, by version */
byte rows[5];

/* budgets that bound the search */
byte crashes = 1;  /* each lets the lease of the dead process expire as well */
byte expiries = 1; /* of leases whose owner is alive, only slow */
byte failures = 1; /* of an import for a reason that may be gone the next time */

/* history, for the properties only */
byte uploaded = 2;     /* highest upload so far */
byte undone = 0;       /* highest upload at the last rollback */
byte bad = 4;          /* set of versions that were live until a rollback, and not made live again */

/* The properties. Each is asserted where one of its variables changes. */
#define NEVER_EMPTY assert(rows[live] == FULL)                          /* the active version has all its rows */
#define ROLLBACK_WINS(t) assert(undone < t)                             /* no upload goes live after a later rollback */
#define LAST_LIVE_KEPT(v) assert(HAS(versions, v))                      /* what was live until a switch is kept */
#define NEVER_BACK_TO_BAD(v) assert(!HAS(bad, v))                       /* by a rollback that names no version */
#define FAILED_NOT_LIVE(t) assert(status[t] != failed || !HAS(versions, t))
#define ACKNOWLEDGED(t) assert(counted[t] == FULL && highest >= t)      /* completed: live once, with all its counters */

inline crashOr(step) {
  if
  :: atomic { crashes > 0 -> crashes--; expiries++; goto idle }
  :: step
  fi
}

#define UNCHANGED (leaseOwner == owner && live == seenActive && highest == seenHighest && highest < t)
#ifdef NO_ROLLBACK_FENCE
#define NOT_UNDONE(t) true
#else
#define NOT_UNDONE(t) (fence < t)
#endif
#ifdef EARLY_REMOVE
#define NOT_REMOVED(t) true
#else
#define NOT_REMOVED(t) !HAS(removed, t)
#endif

/* A worker must stop as soon as a fenced write matches nothing. */
#define FENCED(t) (status[t] == processing && attempt[t] == myAttempt)

proctype Worker(byte owner) {
  byte t, myAttempt, seenActive, seenHighest, drop;
  bool ok;

idle:
  atomic {
    t = 0; myAttempt = 0; seenActive = 0; seenHighest = 0; drop = 0; ok = false
  }
  do
  :: atomic { /* PriceListStore.acquireLease: the oldest open task's list, when its lease is free */
       leaseOwner == 0 && (OPEN(3) || OPEN(4)) ->
       leaseOwner = owner
     }
     break
  :: atomic { OVER(3) && OVER(4) -> goto done }
  od;

  crashOr(skip);

  atomic { /* TaskStore.claim: the list's oldest open task */
    if
    :: OPEN(3) -> t = 3
    :: else -> if
      :: OPEN(4) -> t = 4
      :: else -> t = 0
      fi
    fi;
    if
    :: t != 0 ->
      status[t] = processing; attempt[t]++; myAttempt = attempt[t];
#ifdef REOPENED_CANCEL
      switching[t] = false;
#endif
      skip
    :: else -> skip
    fi
  }
  if
  :: t == 0 -> goto release
  :: else
  fi;

#ifndef UNCONFIRMED_CLAIM
  /* PriceListStore.renewLease: a worker that lost the lease before its claim must not go on */
  if
  :: atomic { leaseOwner == owner }
  :: atomic { leaseOwner != owner -> goto idle }
  fi;
#endif
#ifndef REOPENED_CANCEL
  crashOr(skip);
  /* An attempt that died between the switch and the end of the task has made the version live already. */
  if
  :: atomic { HAS(versions, t) -> goto complete }
  :: atomic { !HAS(versions, t) }
  fi;
  if
  :: atomic { FENCED(t) -> switching[t] = false }
  :: atomic { !FENCED(t) -> goto release }
  fi;
#endif

  /* OfferStore.write: not fenced, but a row written twice is one row */
  crashOr(skip);
  atomic { rows[t] = rows[t] | 1 };
  if /* TaskStore.save: counters and resume point, fenced by the attempt */
  :: atomic { FENCED(t) -> counted[t] = rows[t] & 1 }
  :: atomic { !FENCED(t) -> goto release }
  fi;
  crashOr(skip);
  if
  :: atomic { failures > 0 -> failures--; goto fail }
  :: skip
  fi;
  atomic { rows[t] = rows[t] | 2 };
  if
  :: atomic { FENCED(t) -> counted[t] = FULL }
  :: atomic { !FENCED(t) -> goto release }
  fi;
  crashOr(skip);

  /* from here on the task cannot be cancelled */
  if
  :: atomic { FENCED(t) -> switching[t] = true }
  :: atomic { !FENCED(t) -> goto release }
  fi;

judge:
  crashOr(skip);
  atomic { /* PriceListStore.find, then the decision of PublishVersion */
    seenActive = live; seenHighest = highest; ok = false;
    if
    :: HAS(versions, t) -> goto complete
#ifndef NO_ROLLBACK_FENCE
    :: !HAS(versions, t) && fence >= t -> goto supersede
#endif
    :: !HAS(versions, t) && highest > t -> goto supersede
    :: else
    fi
  }
#ifndef EARLY_REMOVE
  /* OfferStore.count: the version still holds every row it was counted with */
  if
  :: atomic { rows[t] != FULL -> goto release }
  :: atomic { rows[t] == FULL }
  fi;
#endif
  crashOr(skip);
  atomic { /* VersionStore.goLive: one conditional update */
    if
    :: UNCHANGED && NOT_UNDONE(t) && NOT_REMOVED(t) ->
      live = t; highest = t; versions = versions | BIT(t); ok = true;
      NEVER_EMPTY;
      ROLLBACK_WINS(t);
      FAILED_NOT_LIVE(t);
      /* the version that was live the longest ago is dropped */
      drop = order[2]; order[2] = order[1]; order[1] = order[0]; order[0] = t;
      if
      :: drop != 0 ->
        versions = versions & ~BIT(drop); rolledBack = rolledBack & ~BIT(drop); removed = removed | BIT(drop)
      :: else
      fi;
      drop = 0;
      LAST_LIVE_KEPT(seenActive)
    :: else
    fi
  }
  if
  :: ok -> goto complete
  :: else
  fi;
  /* PriceListStore.renewLease: the list changed, or the lease went to another worker */
  if
  :: atomic { leaseOwner == owner -> goto judge }
  :: atomic { leaseOwner != owner -> goto idle }
  fi;

supersede:
  crashOr(skip);
  if
  :: atomic { FENCED(t) -> status[t] = completed; superseded[t] = true; switching[t] = false }
  :: atomic { !FENCED(t) -> goto release }
  fi;
  crashOr(skip);
  atomic { /* VersionStore.remove */
    if
    :: !HAS(versions, t) -> removed = removed | BIT(t)
    :: else
    fi
  }
  goto release;

complete:
  crashOr(skip);
  if
  :: atomic { FENCED(t) -> status[t] = completed; switching[t] = false; ACKNOWLEDGED(t) }
  :: atomic { !FENCED(t) -> skip }
  fi;
  goto release;

fail:
#ifdef EARLY_REMOVE
  crashOr(skip);
  atomic {
    if
    :: !HAS(versions, t) -> removed = removed | BIT(t)
    :: else
    fi
  }
#endif
  crashOr(skip);
  if /* TaskStore.end */
  :: atomic { FENCED(t) -> status[t] = failed; switching[t] = false; FAILED_NOT_LIVE(t) }
  :: atomic { !FENCED(t) -> goto release }
  fi;
#ifndef EARLY_REMOVE
  crashOr(skip);
  atomic { /* VersionStore.remove, only after the task has ended; a crash here is repaired by cleanup */
    if
    :: !HAS(versions, t) -> removed = removed | BIT(t)
    :: else
    fi
  }
#endif

release:
  atomic { /* PriceListStore.releaseLease */
    if
    :: leaseOwner == owner -> leaseOwner = 0
    :: else
    fi
  }
  goto idle;

done:
  skip
}

/* A lease runs out although its owner still lives. */
proctype Clock() {
  do
  :: atomic { leaseOwner != 0 && expiries > 0 -> expiries--; leaseOwner = 0 }
  od
}

/* createTask: the partner gets 200 once the task is stored */
proctype Uploads() {
  atomic { status[3] = pending; uploaded = 3 };
  atomic { status[4] = pending; uploaded = 4 }
}

#ifdef BACK_TO_BAD
#define IS_BEFORE(v) (v != 0)
#else
#define IS_BEFORE(v) (v != 0 && !HAS(rolledBack, v))
#endif

/* Versions.rollbackVersion: to a kept version, or to the one that was live before the active one, once */
proctype Rollback() {
  byte target, seen;
  atomic { /* PriceListStore.find */
    seen = live;
    if
    :: order[1] != 0 -> target = order[1]
    :: order[2] != 0 -> target = order[2]
    :: true -> /* not named: versionBefore */
      if
      :: IS_BEFORE(order[1]) -> target = order[1]
      :: !IS_BEFORE(order[1]) && IS_BEFORE(order[2]) -> target = order[2]
      :: else -> goto refused
      fi;
      NEVER_BACK_TO_BAD(target)
    fi
  };
again:
  atomic { /* VersionStore.rollBack: conditional, planned by rollBackTo */
    if
    :: !HAS(versions, target) -> goto refused
    :: HAS(versions, target) && live != seen -> seen = live; goto again
    :: HAS(versions, target) && live == seen ->
      bad = (bad | BIT(live)) & ~BIT(target);
#ifndef KEPT_BY_PUBLICATION
      if
      :: HAS(rolledBack, target) -> rolledBack = rolledBack & ~BIT(target)
      :: !HAS(rolledBack, target) && order[1] == target -> rolledBack = rolledBack | BIT(order[0])
      :: !HAS(rolledBack, target) && order[2] == target -> rolledBack = rolledBack | BIT(order[0]) | BIT(order[1])
      :: else
      fi;
      if
      :: order[1] == target -> order[1] = order[0]; order[0] = target
      :: order[2] == target -> order[2] = order[1]; order[1] = order[0]; order[0] = target
      :: else
      fi;
#endif
      live = target; fence = uploaded; undone = uploaded; NEVER_EMPTY
    fi
  };
refused:
  skip
}

/* cancelTask, once */
proctype Cancel() {
  byte t;
  if
  :: t = 3
  :: t = 4
  fi;
  atomic { /* TaskStore.cancel */
    if
    :: (status[t] == pending || status[t] == processing) && !switching[t] -> status[t] = failed; attempt[t]++; FAILED_NOT_LIVE(t)
    :: else -> t = 0
    fi
  };
  if
  :: t != 0 -> atomic {
      if
      :: !HAS(versions, t) -> removed = removed | BIT(t)
      :: else
      fi
    }
  :: else
  fi
}

/* VersionCleanup.deleteRemoved: at any time after a version was marked */
proctype Cleanup() {
  byte v;
  do
  :: atomic { removed != 0 ->
       if
       :: HAS(removed, 1) -> v = 1
       :: HAS(removed, 2) -> v = 2
       :: HAS(removed, 3) -> v = 3
       :: HAS(removed, 4) -> v = 4
       fi }
#ifdef EARLY_REMOVE
     atomic { rows[v] = 0; NEVER_EMPTY }
#else
     atomic { /* a version that is listed is never deleted */
       if
       :: !HAS(versions, v) -> rows[v] = 0
       :: else
       fi;
       NEVER_EMPTY
     }
#endif
  od
}

init {
  byte i;
  atomic {
    rows[1] = FULL; rows[2] = FULL; order[0] = 1; order[1] = 2;
    for (i : 0 .. 4) { status[i] = absent }
    run Uploads(); run Worker(1); run Worker(2); run Clock(); run Rollback(); run Cancel(); run Cleanup()
  }
}


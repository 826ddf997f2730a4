/*
 * How ids of products are allocated: by a counter in the catalog's database, which may be lost, or restored together
 * with everything else by `partsbus restore`, or restored with the catalog alone to a moment before the stock.
 *
 * Two replicas of the catalog create products. Each may stop between any two steps, and forgets what it holds. The
 * counter's document may be lost at any time, also while replicas hold ids that they have not stored. The world
 * remembers each id that was given to a product, whatever the databases forget. Supplies refer to products by id.
 *
 * At the start there is one product with a supply, whose id is 1.
 *
 * Each atomic block is one database operation, or one step of an administrator while all replicas are stopped; the
 * comment in front of it names the function that does it. Options like -DUNREAD_COUNTER bring back one defect each,
 * and -DFAR_COPY and -DFAR_LOSS lift an assumption (see README.md).
 */
#define SKIPPED 2 /* a million in the product */
#define LAST_ID 24

#define BIT(id) (1 << (id))
#define HAS(set, id) (((set) >> (id)) & 1)
#define MAX(a, b) ((a) > (b) -> (a) : (b))

/* the catalog's database */
byte counter = 1; /* the last allocated id; 0: the document is missing */
int products = 2; /* set of stored ids: 1 */

/* the stock's database */
int supplies = 2; /* set of products that have a supply: 1 */

/* a backup of both databases, as of one moment; no backup: 0 */
byte backupCounter = 0;
int backupProducts = 0;
int backupSupplies = 0;

/* the replicas and their memory */
bool isRunning[2];
bool mustStop[2];
byte used[2];       /* CounterStore.used */
bool hasAsked[2];   /* ProductIds.firstAnswer */
bool isAbove[2];    /* ProductIds.isAboveStock */

/* budgets that bound the search, set by `init` */
byte creations;
byte restarts;  /* of one replica beside the other */
byte losses;    /* of the counter's document */
byte restores;  /* of the backup, by partsbus restore */
byte copies;    /* of the catalog of the backup, by another tool */
byte silences;  /* questions that the stock does not answer */

/* history, for the properties only */
int given = 2;      /* set of ids that must not be given again */

/* what the product assumes */
bool mayBeSilent = true; /* the stock, after the catalog alone was restored from far back */

/* The properties. Both are asserted when a product is stored. */
#define NOT_INHERITED(id) assert(HAS(products, id) || !HAS(supplies, id)) /* no product has the stock of a lost one */
#define NEVER_TWICE(id) assert(!HAS(given, id)) /* no id is given to two products */

/* highestId */
inline findHighest(set, id) {
  id = LAST_ID;
  do
  :: !HAS(set, id) && id > 0 -> id--
  :: else -> break
  od
}

inline note(number) {
  used[me] = MAX(used[me], number)
}

#ifdef NO_SKIP
#define SKIPPED_WHEN_BEHIND 0
#else
#define SKIPPED_WHEN_BEHIND SKIPPED
#endif

/* CounterStore.raiseTo: an insert, which fails when the document is there, and `$max` */
inline raiseTo(minimum) {
  atomic {
    if
    :: counter == 0 -> counter = minimum
    :: else
    fi
  };
  atomic {
    if
    :: counter != 0 && counter < minimum -> counter = minimum
    :: else
    fi;
    note(minimum)
  }
}

/* CounterStore.raiseFarAbove */
inline raiseFarAbove(number) {
  atomic {
    findHighest(products, highest);
    number = MAX(number, highest);
    number = MAX(number, used[me]) + SKIPPED_WHEN_BEHIND
  };
  raiseTo(number)
}

#ifdef UNCHECKED_RAISE
#define raiseFar(number) number = number + SKIPPED_WHEN_BEHIND; raiseTo(number)
#else
#define raiseFar(number) raiseFarAbove(number)
#endif

/* CounterStore.raiseAbove */
inline raiseAbove(number) {
  atomic { last = counter };
  if
  :: atomic { last < number }; raiseFar(number)
  :: atomic { last >= number; note(last) }
  fi
}

/* ProductIds.askOrSkip, or a later question */
inline ask() {
  if
  :: atomic { /* Supplies.getHighestProductId */
       findHighest(supplies, number); hasAsked[me] = true
     };
     raiseAbove(number);
     isAbove[me] = true
  :: atomic { !hasAsked[me] && mayBeSilent && silences > 0; silences--; hasAsked[me] = true };
     /* CounterStore.skip */
     atomic { number = counter };
#ifdef UNCHECKED_RAISE
     number = number + SKIPPED;
     raiseTo(number)
#else
     raiseFarAbove(number)
#endif
  fi
}

proctype Catalog(bit me) {
  byte id, last, highest, number;

start:
  atomic { !mustStop[me]; isRunning[me] = true };
  {
    /* CounterStore.startAbove */
    atomic { findHighest(products, number) };
    raiseAbove(number);

    do
    :: creations > 0 ->
#ifndef NO_QUESTION
       if
       :: !hasAsked[me] -> ask()
       :: hasAsked[me]
       fi;
#endif
       do
       :: atomic { /* CounterStore.increment */
            if
            :: counter != 0 -> counter++; id = counter
            :: else -> id = 0
            fi
          };
          if
          :: atomic { id > used[me]; note(id) }; break
          :: atomic { id <= used[me] }; number = 0; raiseFarAbove(number)
          fi
       od;
       atomic { /* ProductStore: the insert, and a supply */
         creations > 0; creations--;
         assert(id <= LAST_ID);
         NOT_INHERITED(id);
         NEVER_TWICE(id);
         products = products | BIT(id); given = given | BIT(id); supplies = supplies | BIT(id)
       }
#ifndef NO_QUESTION
    :: hasAsked[me] && !isAbove[me] -> ask() /* Jobs: the question for product ids */
#endif
    od
  } unless { mustStop[me] };
  d_step {
    isRunning[me] = false; used[me] = 0; hasAsked[me] = false; isAbove[me] = false;
    id = 0; last = 0; highest = 0; number = 0
  };
  goto start
}

#define ALL_STOPPED (!isRunning[0] && !isRunning[1] && mustStop[0] && mustStop[1])

#ifdef UNREAD_COUNTER
#define COUNTER_BEFORE 0
#else
#define COUNTER_BEFORE MAX(counter, before) /* readUsedIds */
#endif

#ifdef UNREAD_STOCK
#define REPLACED products
#else
#define REPLACED (products | supplies)
#endif

#ifdef FAR_COPY
#define MAY_BE_SILENT true
#else
#define MAY_BE_SILENT (before <= backupCounter + SKIPPED)
#endif

#ifdef FAR_LOSS
#define IS_NEAR true
#else
#define IS_NEAR (counter <= before + SKIPPED)
#endif

/* Whoever restores, restarts and loses. */
proctype Administrator() {
  byte before;

  do
  :: atomic { backupCounter == 0 && counter != 0; /* partsbus backup */
       backupCounter = counter; backupProducts = products; backupSupplies = supplies }
  :: atomic { restarts > 0 && isRunning[0]; restarts--; mustStop[0] = true };
     atomic { !isRunning[0]; mustStop[0] = false }
  :: atomic { losses > 0 && counter != 0;
       findHighest(products, before);
       if
       :: IS_NEAR -> losses--; counter = 0
       :: else
       fi; before = 0 }
  :: atomic { backupCounter != 0 && restores + copies > 0; mustStop[0] = true; mustStop[1] = true };
     atomic { ALL_STOPPED };
     if
     :: atomic { restores > 0; restores--; /* finishRestore */
          findHighest(REPLACED, before);
          before = COUNTER_BEFORE;
          products = backupProducts; supplies = backupSupplies;
          counter = MAX(backupCounter + SKIPPED, before); before = 0 }
     :: atomic { copies > 0; copies--; /* only what is stored is safe after it */
          findHighest(supplies, before);
          mayBeSilent = MAY_BE_SILENT;
          products = backupProducts; counter = backupCounter;
          given = products | supplies; before = 0 }
     fi;
     atomic { mustStop[0] = false; mustStop[1] = false }
  od
}

init {
  atomic {
    if /* a defect that only a restore shows is searched for there alone */
#if !defined(UNREAD_COUNTER) && !defined(UNREAD_STOCK) && !defined(FAR_COPY)
    :: creations = 3; losses = 1; silences = 1
    :: creations = 2; losses = 1; restarts = 1
#endif
#if !defined(UNREAD_STOCK) && !defined(FAR_COPY)
    :: creations = 3; restores = 2
#endif
    :: creations = 2; copies = 1; silences = 2
    :: creations = 2; copies = 1; restores = 1; silences = 1
    fi;
    run Catalog(0); run Catalog(1); run Administrator()
  }
}

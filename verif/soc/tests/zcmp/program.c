/* Evaluates arithmetic expressions by recursive descent and sorts their values: procedures that keep much across calls and return from several places. */

#define VALUES 48

static const char *at;
static int failures;

static int sum(void);

static int number(void)
{
    int value = 0;

    if (*at < '0' || *at > '9') {
        failures++;
        return 0;
    }
    while (*at >= '0' && *at <= '9') {
        value = value * 10 + (*at++ - '0');
    }
    return value;
}

static int factor(void)
{
    if (*at == '-') {
        at++;
        return -factor();
    }
    if (*at == '(') {
        at++;
        int value = sum();
        if (*at != ')') {
            failures++;
            return value;
        }
        at++;
        return value;
    }
    return number();
}

static int product(void)
{
    int value = factor();

    for (;;) {
        if (*at == '*') {
            at++;
            value *= factor();
        } else if (*at == '/') {
            at++;
            int by = factor();
            if (by == 0) {
                failures++;
                return 0;
            }
            value /= by;
        } else {
            return value;
        }
    }
}

static int sum(void)
{
    int value = product();

    while (*at == '+' || *at == '-') {
        int negative = *at++ == '-';
        int next = product();
        value = negative ? value - next : value + next;
    }
    return value;
}

/* Orders the values from `from` to `to`, which is not one of them; returns how many exchanges it took. */
static int sort(int *values, int from, int to)
{
    if (to - from < 2) {
        return 0;
    }
    int pivot = values[from + (to - from) / 2], low = from, high = to - 1, exchanges = 0;

    while (low <= high) {
        while (values[low] < pivot) {
            low++;
        }
        while (values[high] > pivot) {
            high--;
        }
        if (low <= high) {
            int value = values[low];
            values[low++] = values[high];
            values[high--] = value;
            exchanges++;
        }
    }
    return exchanges + sort(values, from, high + 1) + sort(values, low, to);
}

int main(void)
{
    static const char *const expressions[] = {
        "1+2*3", "(4-5)*(6+7)/2", "-(8*-9)+10/3", "((11))*((12-13)*14)", "15/(16-16)", "(17+18", "x*19", "2*3*4*5-6*7/8",
    };
    static int values[VALUES];
    int check = 0;

    for (int round = 0; round < VALUES / 8; round++) {
        for (int each = 0; each < 8; each++) {
            at = expressions[each];
            values[round * 8 + each] = sum() * (round + 1);
        }
    }
    check = sort(values, 0, VALUES);
    for (int each = 0; each < VALUES; each++) {
        check = check * 31 + values[each];
    }
    return check != EXPECTED || failures != 18;
}

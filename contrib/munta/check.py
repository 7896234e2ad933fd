#!/usr/bin/env python3
"""Checks the three files that `guidepost check --certificate OUT.cert --certificate-format munta` writes, as Munta's checker is documented to do.

    contrib/munta/check.py OUT.cert

It reads the model as it stands in OUT.muntax, the numbers of its names in OUT.renaming and the set of states in OUT.cert, and has nothing in common with guidepost but these files. So it finds out whether they fit
together and whether the set proves what it should: the initial state is in it, every state contains what time makes of it, what a transition leads to lies within one zone of its discrete state, and the formula
holds nowhere. It is slow, and not proved correct as Munta's checker is. The exit code is 0 if the set is accepted, 1 if it is rejected, 2 if a file cannot be read.
"""
import itertools, json, os, re, struct, sys

NONE = 0x7FFFFFFFFFFFFFFF
ZERO = 1
MAGIC = 42


class Rejected(Exception):
    """The set proves nothing."""


# ---- zones: matrices of bounds, `2c + 1` for `<= c` and `2c` for `< c`


def plus(a, b):
    return NONE if NONE in (a, b) else a + b - ((a | b) & 1)


def close(zone, clocks):
    for k, i, j in itertools.product(range(clocks), repeat=3):
        zone[i * clocks + j] = min(zone[i * clocks + j], plus(zone[i * clocks + k], zone[k * clocks + j]))
    return zone if all(zone[i * clocks + i] >= ZERO for i in range(clocks)) else None


def constrained(zone, clocks, constraints):
    """The valuations of a zone that satisfy constraints (left, right, bound); `None` if there are none."""
    zone = list(zone)
    for left, right, bound in constraints:
        at = left * clocks + right
        if bound < zone[at]:
            if plus(zone[right * clocks + left], bound) < ZERO:
                return None
            for i, j in itertools.product(range(clocks), repeat=2):
                way = plus(plus(zone[i * clocks + left], bound), zone[right * clocks + j])
                zone[i * clocks + j] = min(zone[i * clocks + j], way)
    return zone


def reset(zone, clocks, chosen):
    zone = list(zone)
    for x in chosen:
        for y in range(clocks):
            zone[x * clocks + y], zone[y * clocks + x] = zone[y], zone[y * clocks]
        zone[x * clocks + x] = ZERO
    return zone


def later(zone, clocks):
    return [NONE if at and at % clocks == 0 else bound for at, bound in enumerate(zone)]


def is_within(zone, other):
    return all(own <= bound for own, bound in zip(zone, other))


# ---- the language: conditions and updates


def tokens(text):
    pattern = r"\s*(&&|\|\||:=|<=|>=|==|[<>~()+,-]|[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?|\d+)"
    found = []
    at = 0
    while text[at:].strip():
        match = re.compile(pattern).match(text, at)
        if not match:
            raise ValueError(f"cannot read {text[at:]!r}")
        found.append(match.group(1))
        at = match.end()
    return found


class Reader:
    """A reader of conditions. They become nested tuples."""

    def __init__(self, text):
        self.rest = tokens(text)

    def take(self, *expected):
        if self.rest and self.rest[0] in expected:
            return self.rest.pop(0)
        return None

    def chain(self, operator, part):
        parts = [part()]
        while self.take(operator):
            parts.append(part())
        return parts[0] if len(parts) == 1 else (operator, parts)

    def condition(self):
        return self.chain("||", lambda: self.chain("&&", self.atom))

    def atom(self):
        if self.take("~"):
            return ("~", self.atom())
        if self.take("("):
            inside = self.condition()
            if not self.take(")"):
                raise ValueError("a parenthesis is not closed")
            return inside
        name = self.rest.pop(0)
        operator = self.take("<", "<=", ">", ">=", "==")
        return ("compare", name, operator, self.number()) if operator else ("at", name)

    def number(self):
        sign = -1 if self.take("-") else 1
        return sign * int(self.rest.pop(0))

    def end(self, result):
        if self.rest:
            raise ValueError(f"unexpected {self.rest[0]!r}")
        return result


def condition(text):
    reader = Reader(text)
    return reader.end(reader.condition()) if reader.rest else ("&&", [])


def updates(text):
    """Pairs of a name and what it becomes: a name or nothing, and a number."""
    list_ = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        target, value = (side.strip() for side in part.split(":="))
        reader = Reader(value)
        name = reader.rest.pop(0) if reader.rest[0] != "-" and not reader.rest[0].isdigit() else None
        if name is None:
            list_.append((target, None, reader.end(reader.number())))
        else:
            sign = reader.take("+", "-")
            number = reader.number() if sign else 0
            list_.append((target, name, reader.end(-number if sign == "-" else number)))
    return list_


# ---- the model


class Model:
    def __init__(self, text, renaming):
        model, numbers = json.loads(text), json.loads(renaming)
        self.automata = sorted(model["automata"], key=lambda automaton: numbers["processes"][automaton["name"]])
        if [numbers["processes"][automaton["name"]] for automaton in self.automata] != list(range(len(self.automata))):
            raise ValueError("processes are not numbered from 0")
        self.clocks = {name: numbers["clocks"][name] for name in filter(None, (name.strip() for name in model["clocks"].split(",")))}
        ranges = re.findall(r"([A-Za-z_][A-Za-z0-9_]*)\[(-?\d+):(-?\d+)\]", model["vars"])
        self.ranges = {name: (int(low), int(high)) for name, low, high in ranges}
        self.variables = {name: numbers["vars"][name] for name in self.ranges}
        if sorted(self.clocks.values()) != list(range(1, len(self.clocks) + 1)) or sorted(self.variables.values()) != list(range(len(self.variables))):
            raise ValueError("clocks or variables are not numbered as they should be")
        self.size = len(self.clocks) + 1
        match = re.fullmatch(r"\s*E<>(.*)", model["formula"], re.S)
        if not match:
            raise ValueError("the formula is not E<>")
        self.formula = condition(match.group(1))
        self.names, self.invariants, self.edges, initial = {}, [], [], []
        for process, automaton in enumerate(self.automata):
            number = {node["id"]: numbers["locations"][automaton["name"]][str(node["id"])] for node in automaton["nodes"]}
            self.names.update({f"{automaton['name']}.{node['name']}": (process, number[node["id"]]) for node in automaton["nodes"]})
            self.invariants.append({number[node["id"]]: self.split(node["invariant"])[0] for node in automaton["nodes"]})
            initial.append(number[automaton["initial"]])
            edges = {at: [] for at in number.values()}
            for edge in automaton["edges"]:
                clocks, data = self.split(edge["guard"])
                edges[number[edge["source"]]].append((clocks, data, edge["label"], updates(edge["update"]), number[edge["target"]], process))
            self.edges.append(edges)
        self.initial = (tuple(initial), (0,) * len(self.variables))

    def split(self, text):
        """Constraints on clocks, and the rest of a conjunction."""
        whole = condition(text)
        parts = whole[1] if whole[0] == "&&" else [whole]
        clocks, data = [], []
        for part in parts:
            if part[0] == "compare" and part[1] in self.clocks:
                clock, operator, value = self.clocks[part[1]], part[2], part[3]
                if operator in ("<", "<=", "=="):
                    clocks.append((clock, 0, 2 * value + (operator != "<")))
                if operator in (">", ">=", "=="):
                    clocks.append((0, clock, -2 * value + (operator != ">")))
            else:
                data.append(part)
        return clocks, ("&&", data)

    def holds(self, what, state):
        locations, values = state
        kind = what[0]
        if kind == "&&":
            return all(self.holds(part, state) for part in what[1])
        if kind == "||":
            return any(self.holds(part, state) for part in what[1])
        if kind == "~":
            return not self.holds(what[1], state)
        if kind == "at":
            process, location = self.names[what[1]]
            return locations[process] == location
        _, name, operator, number = what
        value = values[self.variables[name]]
        return {"<": value < number, "<=": value <= number, ">": value > number, ">=": value >= number, "==": value == number}[operator]

    def invariant(self, state):
        return [constraint for process, at in enumerate(state[0]) for constraint in self.invariants[process][at]]

    def transitions(self, state):
        """Edges that move together, the sender first."""
        possible = [edge for process, at in enumerate(state[0]) for edge in self.edges[process][at] if self.holds(edge[1], state)]
        for edge in possible:
            if not edge[2]:
                yield [edge]
            elif edge[2].endswith("!"):
                yield from ([edge, other] for other in possible if other[2] == edge[2][:-1] + "?" and other[5] != edge[5])

    def after(self, state, edges):
        """The discrete state after some edges, and the clocks that are reset; `None` if a variable leaves its range."""
        locations, values = list(state[0]), list(state[1])
        clocks = []
        for _, _, _, update, target, process in edges:
            locations[process] = target
            for name, source, number in update:
                if name in self.clocks:
                    clocks.append(self.clocks[name])
                    continue
                value = (values[self.variables[source]] if source else 0) + number
                low, high = self.ranges[name]
                if not low <= value <= high:
                    return None
                values[self.variables[name]] = value
        return (tuple(locations), tuple(values)), clocks


# ---- the set of states, and the check


def read_states(data, model):
    if len(data) % 8:
        raise ValueError("the certificate is cut off")
    words = iter(struct.unpack(f">{len(data) // 8}q", data))

    def take(count):
        found = tuple(itertools.islice(words, count))
        if len(found) < count:
            raise ValueError("the certificate is cut off")
        return found

    sizes = list(take(5))
    expected = [MAGIC, len(model.automata), model.size, len(model.variables)]
    if sizes[:4] != expected:
        raise ValueError(f"the certificate begins with {sizes[:4]}, not with {expected}")
    states = {}
    for _ in range(sizes[4]):
        state = (take(sizes[1]), take(sizes[3]))
        states[state] = [list(take(model.size**2)) for _ in range(take(1)[0])]
    if next(words, None) is not None:
        raise ValueError("something follows the certificate")
    return states


def check(model, states):
    clocks = model.size
    for zones in states.values():
        zones[:] = filter(None, (close(zone, clocks) for zone in zones))

    def demand(state, zone, why):
        if zone is not None and not any(is_within(zone, other) for other in states.get(state, ())):
            raise Rejected(f"{why}: {state} {zone}")

    def rest(zone, state):
        """What time makes of a zone."""
        zone = constrained(zone, clocks, model.invariant(state))
        return zone and constrained(later(zone, clocks), clocks, model.invariant(state))

    demand(model.initial, rest([ZERO] * clocks**2, model.initial), "the initial state is missing")
    for state, zones in states.items():
        if zones and model.holds(model.formula, state):
            raise Rejected(f"the formula holds: {state}")
        steps = [(edges, model.after(state, edges)) for edges in model.transitions(state)]
        for zone in zones:
            demand(state, rest(zone, state), "time leads out of the set")
            for edges, target in steps:
                part = constrained(zone, clocks, [constraint for edge in edges for constraint in edge[0]])
                if part is not None and target is not None:
                    demand(target[0], rest(reset(part, clocks, target[1]), target[0]), "a transition leads out of the set")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    stem = os.path.splitext(sys.argv[1])[0]
    try:
        with open(f"{stem}.muntax") as model, open(f"{stem}.renaming") as renaming, open(sys.argv[1], "rb") as certificate:
            model = Model(model.read(), renaming.read())
            states = read_states(certificate.read(), model)
    except (OSError, ValueError, KeyError, IndexError) as error:
        print(f"cannot read the certificate: {error!r}")
        sys.exit(2)
    try:
        check(model, states)
    except Rejected as reason:
        print(f"rejected: {reason}")
        sys.exit(1)
    print(f"accepted: {len(states)} states, {sum(map(len, states.values()))} zones")


if __name__ == "__main__":
    main()

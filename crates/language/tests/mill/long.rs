//! Long and deep texts, made by rule.

/// What it is, how it is to be read, and the text.
pub(crate) fn long_texts() -> Vec<(String, &'static str, String)> {
    let mut list = Vec::new();
    let mut add = |what: &str, ending: &'static str, text: String| list.push((what.to_owned(), ending, text));
    let many = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let process = "process P() { state a; init a; }\nsystem P;\n";
    let guard = |decls: &str, guard: &str| {
        format!("{decls}\nprocess P() {{ state a; init a; trans a -> a {{ guard {guard}; }}; }}\nsystem P;\n")
    };
    for depth in [150, 199, 5000] {
        let (open, close) = ("(".repeat(depth), ")".repeat(depth));
        add("parentheses", "xta", guard("int i;", &format!("{open}i{close} > 0")));
        add("negations", "xta", guard("int i;", &format!("{}i", "!".repeat(depth))));
        add("calls", "xta", guard("int f(int i) { return i; }", &format!("{}1{close}", "f(".repeat(depth))));
        add(
            "indices",
            "xta",
            guard("int a[2];", &format!("{}0{} > 0", "a[".repeat(depth), "]".repeat(depth))),
        );
        add("conditionals", "xta", guard("int i;", &format!("{}1", "i ? 2 : ".repeat(depth))));
        add("quantifiers", "xta", guard("", &format!("{}true", "forall (i : int[0,1]) ".repeat(depth))));
        let blocks = format!("void f() {{ {}{} }}", "{".repeat(depth), "}".repeat(depth));
        add("blocks", "xta", format!("{blocks}\n{process}"));
        let ifs = format!("int i; void f() {{ {}i = 1; }}", "if (i > 0) i = 2; else ".repeat(depth));
        add("else if", "xta", format!("{ifs}\n{process}"));
        let lists = format!("int a = {}1{};", "{".repeat(depth), "}".repeat(depth));
        add("lists", "xta", format!("{lists}\n{process}"));
        let structs = format!("{}int a;{} s;", "struct {".repeat(depth), "} a;".repeat(depth - 1) + "}");
        add("structs", "xta", format!("{structs}\n{process}"));
        add("elements", "xml", format!("<nta>{}</nta>", "<a>".repeat(depth) + &"</a>".repeat(depth)));
    }
    for length in [500, 990, 30_000] {
        let sum = format!("1{} > i", " + i".repeat(length));
        add("a sum", "xta", guard("int i;", &sum));
        add("a conjunction", "xta", guard("int i;", &format!("i > 0{}", " && i > 0".repeat(length))));
        add("clock bounds", "xta", guard("clock x;", &format!("x > 0{}", " && x > 1".repeat(length))));
        add("indices in a row", "xta", guard("int a[2];", &format!("a{} > 0", "[0]".repeat(length))));
        add("fields in a row", "xta", guard("int a;", &format!("a{} > 0", ".b".repeat(length))));
        add("steps in a row", "xta", guard("int a;", &format!("a{}", "++".repeat(length))));
        let commas =
            format!("const N 1;\n{}", guard("clock x;", &format!("x > N{}", ", x > N".repeat(length))));
        add("a conjunction of commas", "ta", commas);
        add("a query", "q", format!("E<> i > 0{}", " or i > 1".repeat(length)));
        let bottom = format!("{}1{}", "(".repeat(150), " + 1)".repeat(150));
        add("sums in sums", "xta", guard("int i;", &format!("{bottom}{}", " + i".repeat(length))));
    }
    let chained = |depth: usize| {
        let mut text = String::from("1");
        for _ in 0..depth {
            text = format!("({text}{})", " + 1".repeat(300));
        }
        text
    };
    add("sums at the left end of sums", "xta", guard("", &format!("{} > 0", chained(150))));
    let doubled = many(60, &|n| format!("const int c{} = c{n} + c{n};\n", n + 1));
    add(
        "constants that double",
        "xta",
        format!("const int c0 = 1;\n{doubled}int a[c25], b[c25 - c24];\n{process}"),
    );
    let structs = many(60, &|n| format!("typedef struct {{ T{n} a, b; }} T{};\n", n + 1));
    let both = format!("typedef int T0;\n{structs}{}", structs.replace('T', "U").replace("U0", "T0"));
    add("structs that double", "xta", guard(&format!("{both}T60 t; U60 u;"), "t == u"));
    let arrays = many(20_000, &|n| format!("typedef A{n} A{}[2];\n", n + 1));
    add("arrays of arrays", "xta", format!("typedef int A0;\n{arrays}{process}"));
    let functions = many(3000, &|n| format!("int f{}(int i) {{ return f{n}(i) + f{n}(i); }}\n", n + 1));
    add("functions that double", "xta", format!("int f0(int i) {{ return i; }}\n{functions}{process}"));
    let unknown = many(3000, &|n| format!("int used{n} = missing{n};\n"));
    add("unknown names", "xta", format!("{unknown}{process}"));
    let again = many(3000, &|n| format!("int a{n}; int a{n};\n"));
    add("declared twice", "xta", format!("{again}{process}"));
    let instances = many(3000, &|n| format!("Q{}(const int i) = Q{n}(i);\n", n + 1));
    let first = "process Q0(const int i) { state a; init a; }\n";
    add("instances of instances", "xta", format!("{first}{instances}R = Q3000(1);\nsystem R;\n"));
    add("characters", "xta", format!("{}\n{process}", "§".repeat(20_000)));
    add("foreign words", "xta", format!("{}\n{process}", many(5000, &|n| format!("ü{n} "))));
    add("open comments", "xta", format!("{}\n{process}", "/* ".repeat(20_000)));
    add("open braces", "xta", "process P() { state a {\n".repeat(5000));
    for stranger in ["int a", "chan a", "void g() { }"] {
        let blocks = format!("{{ i = 1;\n{stranger};\n}}\n").repeat(20_000);
        add("strangers in blocks", "xta", format!("int i; void f() {{\n{blocks}}}\n{process}"));
    }
    add(
        "sections by other names",
        "xta",
        format!("process P() {{ {}}}\nsystem P;", "location a;\n".repeat(20_000)),
    );
    add("open strings", "xta", "const string s = \"a\n".repeat(5000));
    add("queries", "q", many(5000, &|n| format!("E<> P{n}.a and\n")));
    add("bare predicates", "q", many(5000, &|n| format!("P{n}.a\n")));
    add("broken leads-to", "q", "P.a --> \n".repeat(5000));
    add("unclosed elements", "xml", format!("<nta>{}", "<template><name>P</name>".repeat(5000)));
    add("less-than signs", "xml", format!("<nta><declaration>{}</declaration></nta>", "a<b ".repeat(20_000)));
    add("entities", "xml", format!("<nta><declaration>{}</declaration></nta>", "&lt;".repeat(20_000)));
    add("unknown entities", "xml", format!("<nta><declaration>{}</declaration></nta>", "&foo;".repeat(5000)));
    let head = "system:s\nevent:e\nprocess:P\n";
    add("arrays", "tck", format!("{head}{}", many(5, &|n| format!("int:20000:0:1:0:a{n}\n"))));
    let invariants = ": invariant: x<=1 ".repeat(300);
    add("invariants", "tck", format!("{head}clock:1:x\nlocation:P:a{{initial: {invariants}}}\n"));
    let guards = ": provided: x<=1 ".repeat(300);
    add(
        "guards",
        "tck",
        format!("{head}clock:1:x\nlocation:P:a{{initial:}}\nedge:P:a:a:e{{ do: x=0 {guards}}}\n"),
    );
    add("negations", "tck", format!("{head}location:P:a{{initial: : invariant: {}x}}\n", "!".repeat(20_000)));
    add("ifs", "tck", format!("{head}location:P:a{{initial: : invariant: {}x}}\n", "if ".repeat(20_000)));
    list
}

"""Reading models, and what is wrong with them."""

import guidepost
import pytest


def test_the_version_is_that_of_the_package():
    assert guidepost.__version__.count(".") == 2


def test_a_model_from_a_file_knows_its_queries(faulty):
    assert len(faulty.queries) == 5
    assert faulty.info["sizes"]["processes"] == 4
    assert faulty.name.endswith("fischer-faulty.xml")
    assert "fischer-faulty.xml" in repr(faulty)


def test_a_model_from_a_path_or_a_text(root, switch):
    assert guidepost.open(str(root / "models" / "lamp.ta")).info["format"] == "old"
    assert switch.queries == []


def test_the_name_says_how_a_text_is_read():
    text = "system:s\nprocess:P\nlocation:P:A{initial:}\n"
    assert guidepost.parse(text, "s.tck").info["format"] == "tck"


def test_queries_beside_a_model_are_read(root):
    assert guidepost.open(root / "models" / "oven.xta").queries


def test_mistakes_are_an_exception_with_all_messages():
    with pytest.raises(guidepost.ModelError) as caught:
        guidepost.parse("clock x;\nprocess P() { state A { x <= n }; init A; } system P, Q;", "wrong.xta")
    first, second = caught.value.errors
    assert (first.code, first.severity, first.file) == ("E020", "error", "wrong.xta")
    assert (first.line, first.column, first.end_line, first.end_column) == (2, 30, 2, 31)
    assert first.message == "`n` is not declared"
    assert first.rendered.startswith("error[E020]") and "^" in first.rendered
    assert "wrong.xta:2:30" in str(caught.value) and str(first) == first.rendered
    assert second.line == 2


def test_a_missing_file_is_a_message_like_any_other():
    with pytest.raises(guidepost.ModelError, match="no/such.xml"):
        guidepost.open("no/such.xml")


def test_warnings_are_no_errors():
    model = guidepost.parse("int[0,3] n; process P() { state A, B; init A; } system P;")
    assert all(message.severity == "warning" for message in model.warnings)


def test_exceptions_are_of_one_family():
    for kind in (guidepost.ModelError, guidepost.OptionError, guidepost.StepError, guidepost.InternalError):
        assert issubclass(kind, guidepost.GuidepostError)
    assert issubclass(guidepost.OptionError, ValueError)


def test_deeply_nested_models_do_not_overflow_the_stack():
    deep = "(" * 3000 + "1" + ")" * 3000
    text = f"int n; process P() {{ state A; init A; trans A -> A {{ guard n == {deep}; }}; }} system P;"
    try:
        guidepost.parse(text)
    except guidepost.ModelError as error:
        assert error.errors


def test_families_are_generated():
    generated = guidepost.generate("fischer", "a", 3, faulty=True)
    answers = generated.open().check(generated.queries)
    assert [answer.expected for answer in answers] == [True] * len(answers)


def test_an_unknown_family_is_a_value_error():
    with pytest.raises(ValueError, match="fisher"):
        guidepost.generate("fisher", 3)
